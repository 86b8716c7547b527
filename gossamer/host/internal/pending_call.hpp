#pragma once
// A submitted call: first the function object, then its answer. One allocation, shared by the queue and the
// future. Core 0 runs it.
//
//   field             written by                       read by                    protected by
//   word_             core 0 (done), waiters           waiters                    acquire and release
//   value, error_     core 0 before done               the waiter after done      word_
//   next, self, counted  the submitter, then core 0    core 0                     the queue

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace gossamer::host {

class pending_call {
 public:
  pending_call();
  virtual ~pending_call() = default;
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;

  // --- for core 0, or the thread that refuses the call

  /// Runs the function object and stores its value.
  virtual void run() = 0;
  /// Destroys the function object, with its captures, before the caller continues.
  virtual void drop() noexcept = 0;
  /// Returns whether Ctrl-C and runtime::interrupt() affect the call. The destruction of a kept value is not
  /// interrupted.
  virtual bool interruptible() const { return true; }
  void fail(std::exception_ptr what) noexcept { error_ = std::move(what); }
  /// Marks the call as done, and wakes waiting threads. Called last.
  void publish() noexcept;

  // --- for threads of the host program

  bool done() const noexcept {
    return word_.load(std::memory_order_acquire) == k_done;
  }  // pairs with publish()
  void wait();
  bool wait_for_us(std::uint64_t us);

  pending_call* next = nullptr;  // in the queue
  std::shared_ptr<pending_call> self;  // while it is there
  bool counted = false;  // against the bound of the queue

 protected:
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  static constexpr std::uint32_t k_open = 0, k_awaited = 1, k_done = 2;

  bool begin_wait() const;

  std::exception_ptr error_;
  std::atomic<std::uint32_t> word_{k_open};
  const std::uint64_t process_;  // a forked child has no core to run the call
};

/// A call with its value.
template <class T>
class pending_value : public pending_call {
 public:
  T take() {
    rethrow();
    return *std::move(value_);
  }

 protected:
  std::optional<T> value_;
};

template <>
class pending_value<void> : public pending_call {
 public:
  void take() { rethrow(); }
};

/// A call with its function object.
template <class F>
class submitted_call final : public pending_value<std::invoke_result_t<F&>> {
 public:
  explicit submitted_call(F f) : f_(std::move(f)) {}
  void run() override {
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>)
      (*f_)();
    else
      this->value_.emplace((*f_)());
  }
  void drop() noexcept override { f_.reset(); }

 private:
  std::optional<F> f_;
};

}  // namespace gossamer::host
