#pragma once
// A notification is a counter that one core waits on and other cores increment, to say that data has arrived. It lies
// on a cache line of its own, and belongs to the core whose fibers wait. It is usually an element of
// a per_core, so that other cores have a global pointer to it. put_notify() (memory/transfer.hpp) puts data and
// then increments it.
//
//   field     writes                       reads      protected by
//   word_     any core of the process      its core   RMW: 2 x count, + 1 while a fiber sleeps
//   target_   its core                     notifiers  the lowest bit of word_: set after it (release), seen before
//   waiter_   its core                     notifiers  the same
//   taken_    its core                     its core
//
//   waiter:    spin;  target_, waiter_;  word_: 2c -> 2c + 1, where c < target;  suspend;  check again
//   notifier:  word_ += 2;  while it is odd and its count has reached target_: word_ -> word_ - 1;  wake the fiber
// Exactly one notifier clears the lowest bit, so each sleep has one wake-up. A notifier may see the
// target of an earlier sleep. It then wakes the waiter too early, and the waiter checks again.

#include <atomic>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/memory/global_ptr.hpp"

namespace gossamer {

/// A counter of arrivals. One core owns it: only its fibers wait, one at a time.
class alignas(k_line_bytes) notification {
 public:
  notification() = default;
  notification(const notification&) = delete;
  notification& operator=(const notification&) = delete;

  /// Returns the number of arrivals that no wait() has taken. Data that was put before them is visible. Owner
  /// only.
  std::uint64_t pending() const {
    return (word_.load(std::memory_order_acquire) >> 1) - taken_;  // pairs with post()
  }
  /// Suspends until `n` arrivals have come that no earlier wait has taken, and takes them. Data that was put before them
  /// is visible then. Owner only, one fiber at a time.
  void wait(std::uint64_t n = 1);
  /// Takes `n` arrivals as wait() does if they are there. Returns false where wait() would suspend. Owner only.
  bool try_wait(std::uint64_t n = 1) {
    if (pending() < n) return false;
    taken_ += n;
    return true;
  }

  /// Increments the counter, and wakes the waiting fiber if its target is reached. For fibers and handlers of any core of the
  /// owner's process. Other processes use notify().
  void post();

 private:
  std::atomic<std::uint64_t> word_{0};
  std::atomic<std::uint64_t> target_{0};
  fiber::fiber* waiter_ = nullptr;
  std::uint64_t taken_ = 0;
};

/// Suspends until `n` more arrivals have come (notification::wait). By a fiber of the owner.
inline void wait(notification& of, std::uint64_t n = 1) { of.wait(n); }

/// Increments the counter at its owner. What this core has put to that core before (put, async_put, put_notify) is
/// visible there first. Returns before it happens; the enclosing completion counts it. By a fiber. Costs an atomic addition
/// inside a process, a small message between processes.
void notify(global_ptr<notification> to);

}  // namespace gossamer
