#pragma once
// Counts the bytes of zero-copy payloads that one core has sent and other cores have not freed yet. Fibers of
// the core reserve bytes, and wait while the limit is exceeded. Any core releases bytes.
//
//   reserve()  --fits, or nothing is in flight--> counted
//              --else--> waits: one fiber at a time, others behind a mutex; may_wake(), wake() by the core's polls

#include <atomic>
#include <cstddef>
#include <utility>

#include "gossamer/base/bits.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/fiber/sync.hpp"

namespace gossamer::message {

class payload_limit {
 public:
  explicit payload_limit(std::size_t most) : most_(most) {}

  /// Counts `bytes`. Suspends while that would exceed the limit. A payload larger than the limit is sent
  /// alone.
  void reserve(fiber::scheduler& self, std::size_t bytes);
  /// Releases `bytes` that have been freed. Any core. `owner` is the core that reserved them.
  void release(fiber::scheduler& owner, std::size_t bytes);
  /// Notes that a record names `bytes` more. Returns true if open packets hold so many that they should
  /// leave.
  bool should_flush(std::size_t bytes) {
    unsent_ += bytes;
    if (unsent_ < k_bytes_to_flush) return false;
    unsent_ = 0;
    return true;
  }

  std::size_t in_flight() const { return in_flight_.load(std::memory_order_relaxed); }  // a count only
  bool has_waiter() const { return waiter_ != nullptr; }
  /// Returns whether the waiting fiber, if there is one, can continue.
  bool may_wake() const { return waiter_ != nullptr && fits(); }
  void wake(fiber::scheduler& self) { self.wake(*std::exchange(waiter_, nullptr)); }

 private:
  static constexpr std::size_t k_bytes_to_flush = 32 << 10;

  bool fits() const;

  const std::size_t most_;
  std::size_t unsent_ = 0;  // named by records since the last flush of payloads
  fiber::mutex mutex_;  // one fiber at a time waits for the limit
  fiber::fiber* waiter_ = nullptr;
  std::size_t wanted_ = 0;  // bytes that the waiting fiber requests

  alignas(k_line_bytes) std::atomic<std::size_t> in_flight_{0};  // written by any core
};

}  // namespace gossamer::message
