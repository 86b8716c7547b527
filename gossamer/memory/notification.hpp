#pragma once
// Notifications: a core says that something is there, and a fiber of another core waits for that. A
// notification is a counter on a line of its own, which belongs to the core whose fibers wait; usually one of
// a per_core, so that others reach it by global pointers. put_notify() (memory/transfer.hpp) puts data and
// then counts one more.
//
//   field     writes                       reads      protected by
//   word_     any core of the process      its core   RMW: 2 x count, + 1 while a fiber sleeps
//   target_   its core                     notifiers  the lowest bit of word_: set after it (release), seen before
//   waiter_   its core                     notifiers  the same
//   taken_    its core                     its core
//
//   waiter:    spin;  target_, waiter_;  word_: 2c -> 2c + 1, where c < target;  suspend;  look again
//   notifier:  word_ += 2;  while it is odd and its count has reached target_: word_ -> word_ - 1;  wake the fiber
// The lowest bit is cleared by one notifier alone, so each sleep has one wake-up. A notifier may find the
// target of the sleep before: then it wakes too early, and the waiter looks again.

#include <atomic>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/memory/global_ptr.hpp"

namespace gossamer {

/// Counts what has come to a core. Owned by one core: only its fibers wait, one at a time.
class alignas(k_line_bytes) notification {
 public:
  notification() = default;
  notification(const notification&) = delete;
  notification& operator=(const notification&) = delete;

  /// Returns how many have come that wait() has not taken yet. What came with them is visible then. Owner
  /// only.
  std::uint64_t pending() const {
    return (word_.load(std::memory_order_acquire) >> 1) - taken_;  // pairs with post()
  }
  /// Suspends until `n` more have come than earlier waits have taken, and takes those. What was put with them
  /// is visible then. Owner only, one fiber at a time.
  void wait(std::uint64_t n = 1);
  /// Does what wait() does where that would return at once. Returns false where it would suspend. Owner only.
  bool try_wait(std::uint64_t n = 1) {
    if (pending() < n) return false;
    taken_ += n;
    return true;
  }

  /// Counts one more and wakes the fiber that waits for it. Any core of the owner's process, fibers and
  /// handlers; notify() is for the others, too.
  void post();

 private:
  std::atomic<std::uint64_t> word_{0};
  std::atomic<std::uint64_t> target_{0};
  fiber::fiber* waiter_ = nullptr;
  std::uint64_t taken_ = 0;
};

/// Suspends until `n` more have come (notification::wait). By a fiber of the core that owns it.
inline void wait(notification& of, std::uint64_t n = 1) { of.wait(n); }

/// Counts one more at the owner. What this core has put to that core before (put, async_put, put_notify) is
/// visible when it is counted. Returns before that; counted by the enclosing completion. By a fiber. In one
/// process an atomic addition, between processes a small message.
void notify(global_ptr<notification> to);

}  // namespace gossamer
