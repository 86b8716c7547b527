#pragma once
// The result of a call that a thread of the host program has submitted to a runtime (runtime.hpp): a value or
// an exception. Made by runtime::submit(). Not a std::future, whose wait would block a core for ever without
// a message: wait() throws on a core, and in a forked child.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/host/internal/pending_call.hpp"

namespace gossamer {

/// Thrown if the runtime of a call has ended before the call: by runtime::end(), by a stall, or because a
/// process was lost.
class runtime_ended : public error {
 public:
  /// Takes over the message.
  using error::error;
};

/// The result of a submitted call. Move-only. Its destructor does not wait. Used by one thread of the host
/// program at a time.
template <class T>
class future {
 public:
  future() = default;
  /// Takes over the result of a call. Called by runtime::submit().
  explicit future(std::shared_ptr<host::pending_value<T>> call) : call_(std::move(call)) {}
  /// Takes over the result of another future.
  future(future&& other) noexcept = default;
  /// Takes over the result of another future. Does not wait for the call that this future had.
  future& operator=(future&& other) noexcept = default;

  /// Returns whether the future has a call, so that get() may be called.
  bool valid() const { return call_ != nullptr; }
  /// Returns whether the call has ended, so that get() would not wait.
  bool ready() const { return call().done(); }
  /// Waits until the call has ended. Blocks the calling thread. Throws gossamer::error on a core, because a
  /// fiber that waits for a call of its own runtime would wait for ever, and in a forked child.
  void wait() const { call().wait(); }
  /// Waits as wait() does, but at most `us` microseconds. Returns whether the call has ended.
  bool wait_for_us(std::uint64_t us) const { return call().wait_for_us(us); }
  /// Waits as wait() does. Returns the result of the call, or throws its exception. May be called once.
  T get() {
    call().wait();
    const auto ended = std::move(call_);
    return ended->take();
  }

 private:
  host::pending_value<T>& call() const {
    if (call_ == nullptr)
      throw error("future: there is no call to wait for: it is default-made, or get() was called before");
    return *call_;
  }

  std::shared_ptr<host::pending_value<T>> call_;
};

}  // namespace gossamer
