#pragma once
// A value that a runtime keeps between calls: made in a call, destroyed in a later one, both on core 0. It is itself the call
// that destroys it, so that giving it up takes no memory and cannot fail.

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "gossamer/host/internal/pending_call.hpp"

namespace gossamer::host {

class engine;

/// A value in the list of its runtime, newest first. The list is core 0's, and keeps what is in it alive: a handle may go at any
/// time, also where the queue refuses its call.
class kept_base : public pending_call, public std::enable_shared_from_this<kept_base> {
 public:
  explicit kept_base(std::shared_ptr<engine> owner) : owner_(std::move(owner)) {}
  const std::shared_ptr<engine>& owner() const { return owner_; }

  void run() override { end_value(); }
  void drop() noexcept override {}
  bool interruptible() const override { return false; }

  /// Adds the value, which has been made, to the list of its runtime. Core 0.
  void link();
  /// Destroys the value and takes it out of the list. Core 0.
  void end_value();
  /// Takes the value out of the list as it is. Returns the list's hold on it, which has to go last. Core 0.
  [[nodiscard]] std::shared_ptr<kept_base> unlink() noexcept;
  bool alive() const { return alive_.load(std::memory_order_relaxed); }
  [[noreturn, gnu::cold]] static void refuse();
  /// Returns why the value is gone: what has ended the job of its runtime. Empty where it is there, or nothing has failed.
  std::string failure() const;

 protected:
  virtual void destroy() = 0;

 private:
  friend class engine;
  const std::shared_ptr<engine> owner_;
  std::atomic<bool> alive_{false};  // set relaxed: the answer of the call that makes it orders the value
  kept_base *newer_ = nullptr, *older_ = nullptr;
  std::shared_ptr<kept_base> listed_;  // itself, while in the list
};

/// Gives a value up: core 0 destroys it soon. Any thread.
void give_up(std::shared_ptr<kept_base> value) noexcept;

template <class T>
class kept_value final : public kept_base {
 public:
  using kept_base::kept_base;
  /// Makes the value: what make() returns, in place. Core 0.
  template <class F>
  void make(F& make) {
    new (bytes_) T(make());
    link();
  }
  T& value() { return *std::launder(reinterpret_cast<T*>(bytes_)); }

 private:
  void destroy() override { value().~T(); }
  alignas(T) std::byte bytes_[sizeof(T)];
};

}  // namespace gossamer::host
