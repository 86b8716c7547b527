#include "gossamer/fiber/outside_event.hpp"

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::fiber {

void outside_event::signal() {
  std::uint32_t expected = k_waiting;
  // seq_cst: after the caller's publication; pairs with wait()'s store and the check for news after it
  if (!state_.compare_exchange_strong(expected, k_waking, std::memory_order_seq_cst,
                                      std::memory_order_seq_cst))
    return;
  fiber_->home->wake_from_anywhere(*fiber_);
  state_.store(k_woken, std::memory_order_release);  // pairs with wait_for_signaller()'s acquire
}

void outside_event::abandon() {
  std::uint32_t now = k_waiting;
  // release: pairs with awaited()'s acquire, as where the fiber goes on
  if (state_.compare_exchange_strong(now, k_running, std::memory_order_release, std::memory_order_relaxed) ||
      now == k_running)
    return;
  wait_for_signaller();
}

/// Lets the thread that signals leave the core alone first: what the fiber does next may end the core. That thread is on
/// its way out of a system call.
void outside_event::wait_for_signaller() {
  constexpr unsigned k_polls = 64;  // before that thread may need this processor
  for (unsigned i = 0; state_.load(std::memory_order_acquire) != k_woken;
       ++i)  // pairs with signal()'s release
    i < k_polls ? machine::cpu_relax() : machine::yield_thread();
  state_.store(k_running, std::memory_order_release);  // pairs with awaited()'s acquire
}

}  // namespace gossamer::fiber
