#pragma once
// Lets one fiber wait for threads that are no cores: those of a host program, which submit work. Any thread
// signals; the fiber takes the work. While the fiber waits here, sleeping cores are no stall, because a
// thread may wake them at any time (awaited()).
//
//   running -> waiting    the fiber, before its last check for work
//   waiting -> running    the fiber, which has found work
//   waiting -> waking     one thread that signals
//   waking  -> woken      the same thread, which does not use the core after that
//   woken   -> running    the fiber, when it continues
//   any     -> running    the thread that was the fiber's core, in abandon()
//
// Only the fiber leaves the three states in which it is awaited. So if a core finds all cores asleep and the state
// running, no thread from outside is about to wake a core.

#include <atomic>
#include <cstdint>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

class outside_event {
 public:
  /// Suspends the calling fiber until signal(), unless has_news() returns true after the state has become waiting.
  /// has_news() must read with seq_cst what threads publish before signal(). May return without news.
  template <class HasNews>
  void wait(HasNews has_news) {
    scheduler& core = scheduler::inside("outside_event::wait");
    fiber_ = core.running();
    state_.store(k_waiting, std::memory_order_seq_cst);  // before has_news(); pairs with signal()'s exchange
    std::uint32_t expected = k_waiting;
    if (has_news() && state_.compare_exchange_strong(expected, k_running, std::memory_order_relaxed)) return;
    core.suspend("a call from outside");
    wait_for_signaller();
  }

  /// Wakes the fiber if it waits. Any thread, after publishing the news with a seq_cst operation. Costs a
  /// failed exchange if the fiber runs, a system call if its core sleeps.
  void signal();

  /// Abandons the fiber: later signals have no effect. Called after the loop of its core has ended, and before its memory is freed.
  /// Waits for a thread that is about to wake it.
  void abandon();

  /// Returns whether the fiber waits for a signal, or has one and has not continued yet. Any core.
  bool awaited() const { return state_.load(std::memory_order_acquire) != k_running; }

 private:
  static constexpr std::uint32_t k_running = 0, k_waiting = 1, k_waking = 2, k_woken = 3;

  void wait_for_signaller();

  std::atomic<std::uint32_t> state_{k_running};
  fiber* fiber_ = nullptr;  // written by the fiber before k_waiting, read by the thread that has changed it
};

}  // namespace gossamer::fiber
