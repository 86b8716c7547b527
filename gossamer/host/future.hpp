#pragma once
// The answer of a call that a thread of the host program has submitted to a runtime (runtime.hpp): its value, or what it
// threw. Made by runtime::submit(). Not std::future, whose wait would block a core for ever without a word; this one
// refuses there, and in a forked child.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/host/internal/pending_call.hpp"

namespace gossamer {

/// Says that the runtime of a call has ended before it: by runtime::end(), by a stall, or by the loss of a process.
class runtime_ended : public error {
 public:
  /// Takes over the message.
  using error::error;
};

/// The answer of a submitted call. Move-only. Its destructor does not wait. Any one thread of the host program at a time.
template <class T>
class future {
 public:
  future() = default;
  /// Takes over the answer of a call; runtime::submit() does.
  explicit future(std::shared_ptr<host::pending_value<T>> call) : call_(std::move(call)) {}
  /// Takes over the answer of another one.
  future(future&& other) noexcept = default;
  /// Takes over the answer of another one. Does not wait for the own one.
  future& operator=(future&& other) noexcept = default;

  /// Returns whether get() can be called.
  bool valid() const { return call_ != nullptr; }
  /// Returns whether the call has ended: get() would not wait.
  bool ready() const { return call().done(); }
  /// Waits until the call has ended. Blocks the calling thread, so it throws gossamer::error on a core (a fiber that
  /// waits for a call of its own runtime would wait for ever) and in a forked child.
  void wait() const { call().wait(); }
  /// Waits as wait() does for at most so many microseconds. Returns whether the call has ended.
  bool wait_for_us(std::uint64_t us) const { return call().wait_for_us(us); }
  /// Waits as wait() does. Returns what the call returned, or throws what it threw. Once.
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
