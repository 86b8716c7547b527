#pragma once
// A value that a runtime keeps between calls: made in a call, destroyed in a later one, both on core 0. The
// value is also the call that destroys it, so that its release needs no memory and cannot fail.

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

/// A value in the list of its runtime, newest first. Only core 0 uses the list, which keeps its values alive:
/// a handle may be destroyed at any time, even if the queue refuses the call.
class kept_base : public pending_call, public std::enable_shared_from_this<kept_base> {
 public:
  explicit kept_base(std::shared_ptr<engine> owner) : owner_(std::move(owner)) {}
  const std::shared_ptr<engine>& owner() const { return owner_; }

  void run() override { end_value(); }
  void drop() noexcept override {}
  bool interruptible() const override { return false; }

  /// Adds the value, after it was made, to the list of its runtime. By core 0.
  void link();
  /// Removes the value from the list and destroys it. By core 0.
  void end_value();
  /// Removes the value from the list without destroying it, by core 0. Returns the reference of the list,
  /// which the caller releases last.
  [[nodiscard]] std::shared_ptr<kept_base> unlink() noexcept;
  bool alive() const { return alive_.load(std::memory_order_relaxed); }
  [[noreturn, gnu::cold]] static void refuse();
  /// Returns the failure that ended the job of the runtime; empty if the value is alive, or nothing has
  /// failed.
  std::string failure() const;

 protected:
  virtual void destroy() = 0;

 private:
  friend class engine;
  const std::shared_ptr<engine> owner_;
  std::atomic<bool> alive_{false};  // set relaxed: the answer of the call that makes the value publishes it
  kept_base *newer_ = nullptr, *older_ = nullptr;
  std::shared_ptr<kept_base> listed_;  // itself, while in the list
};

/// Releases a value: core 0 destroys it soon. Any thread.
void give_up(std::shared_ptr<kept_base> value) noexcept;

template <class T>
class kept_value final : public kept_base {
 public:
  using kept_base::kept_base;
  /// Constructs the value in place from the result of make(). By core 0.
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
