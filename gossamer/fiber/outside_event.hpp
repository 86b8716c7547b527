#pragma once
// A wait of one fiber for threads that are no cores: those of a host program, which submit work. Any thread signals,
// the fiber takes what has come. While the fiber waits here, sleeping cores are no stall: what wakes them may come at any
// time (awaited()).
//
//   running -> waiting    the fiber, before its last look for news
//   waiting -> running    the fiber, which has found news
//   waiting -> waking     one thread that signals
//   waking  -> woken      the same thread, which touches the core no more
//   woken   -> running    the fiber, when it goes on
//   any     -> running    the thread that was the fiber's core, where the fiber is given up
//
// Only the fiber leaves the three states in which it is awaited. So a core that finds all cores asleep and the state
// running knows that no thread from outside is about to wake one.

#include <atomic>
#include <cstdint>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

class outside_event {
 public:
  /// Suspends the calling fiber until signal(), unless has_news() returns true after the fiber has said that it waits.
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

  /// Wakes the fiber if it waits. Any thread, after publishing the news with a seq_cst operation. Costs a failed
  /// exchange where the fiber runs, a system call where its core sleeps.
  void signal();

  /// Gives the fiber up: signals have no effect from here on. After the loop of its core has ended, and before its memory goes.
  /// Waits for a thread that is about to wake it.
  void abandon();

  /// Returns whether the fiber waits for a signal, or has one and not gone on yet. Any core.
  bool awaited() const { return state_.load(std::memory_order_acquire) != k_running; }

 private:
  static constexpr std::uint32_t k_running = 0, k_waiting = 1, k_waking = 2, k_woken = 3;

  void wait_for_signaller();

  std::atomic<std::uint32_t> state_{k_running};
  fiber* fiber_ = nullptr;  // written by the fiber before k_waiting, read by the thread that has changed it
};

}  // namespace gossamer::fiber
