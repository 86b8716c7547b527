#include "gossamer/fiber/internal/sleep_group.hpp"

#include <algorithm>

#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fiber {

bool sleep_group::all_asleep() const {
  return std::ranges::all_of(sleepers, [](const sleeper* s) {
    machine::preemption_point();
    return s->asleep();
  });
}

void sleeper::notify() {
  machine::preemption_point();
  // seq_cst: after the caller's publication; pairs with sleep()'s store of dozing
  if (word_.load(std::memory_order_seq_cst) == k_awake) return;
  machine::preemption_point();
  // acq_rel: pairs with commit(), so that the woken core sees what the notifier wrote
  const std::uint32_t before = word_.exchange(k_awake, std::memory_order_acq_rel);
  if (before == k_asleep || (before == k_pre_sleep && machine::simulated() != nullptr))
    machine::futex_wake_one(word_);
}

void sleeper::wait_pre_sleep(std::uint64_t most_ns) {
  (void)machine::simulated()->wait(word_, k_pre_sleep, most_ns, true);
}

bool sleeper::commit(std::uint64_t timed_wait_ns) {
  machine::preemption_point();
  std::uint32_t expected = k_pre_sleep;
  // release: pairs with notify()'s exchange; acquire on failure: sees what the notifier wrote
  if (!word_.compare_exchange_strong(expected, k_asleep, std::memory_order_acq_rel,
                                     std::memory_order_acquire))
    return false;
  machine::preemption_point();
  // acq_rel: the last one sees everything that the earlier sleepers wrote (on_stall reads their fibers)
  const std::uint64_t idle_count = group_.idle_count.fetch_add(1, std::memory_order_acq_rel) + 1;
  const bool last = static_cast<std::uint32_t>(idle_count) == group_.members;
  // seq_cst: before reading the sleepers' words, each of which bumps the wake epoch, if at all, after it was seen asleep
  const std::uint64_t wake_epoch = group_.wake_epoch.load(std::memory_order_seq_cst);
  // seq_cst, after reading them: a core that has gone on since and was seen asleep again has counted itself before
  if (last && group_.all_asleep() && group_.idle_count.load(std::memory_order_seq_cst) == idle_count &&
      group_.on_stall) {
    machine::preemption_point();
    group_.on_stall(wake_epoch);
  }
  while (word_.load(std::memory_order_acquire) == k_asleep) {  // pairs with notify()'s exchange
    if (timed_wait_ns == 0)
      machine::futex_wait(word_, k_asleep);
    else if (!machine::futex_wait_for(word_, k_asleep, timed_wait_ns))
      word_.exchange(k_awake, std::memory_order_acq_rel);  // as if notified
  }
  // acq_rel: pairs with the fetch_add of the core that sleeps last, and by the next dozing -> asleep with its check
  group_.idle_count.fetch_add(sleep_group::k_gone_on - 1, std::memory_order_acq_rel);
  return true;
}

}  // namespace gossamer::fiber
