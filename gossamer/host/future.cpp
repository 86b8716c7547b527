#include "gossamer/host/future.hpp"

#include <fmt/format.h>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::host {
namespace {

/// Returns how long a waiting thread looks at the word before it sleeps: short calls end meanwhile, and save a second
/// wake-up by the system. A lone processor is left to the core at once.
std::uint64_t spin_ticks() {
  constexpr std::uint64_t k_spin_us = 40;  // a core that sleeps runs after ~20
  static const std::uint64_t ticks =
      machine::usable_processors() > 1 ? k_spin_us * machine::ticks_per_us() : 0;
  return ticks;
}

}  // namespace

pending_call::pending_call() : process_(machine::process_id()) {}

void pending_call::publish() noexcept {
  // release: the value, and all that the call wrote; acquire: nothing of the waiter's is read
  if (word_.exchange(k_done, std::memory_order_acq_rel) != k_awaited) return;
  machine::futex_wake_all(word_);
  machine::
      yield_thread();  // where all processors are taken, the woken thread may be behind this one, which would spin
}

/// Looks for a short while. Returns whether the call has ended.
bool pending_call::begin_wait() const {
  if (done()) return true;
  if (fiber::scheduler::current() != nullptr)
    throw error("future: waited for inside a call of the runtime: the core that waits would have to run it");
  if (machine::process_id() != process_)
    throw error(fmt::format("future: this process was forked from process {}, where the call is", process_));
  const std::uint64_t begin = machine::ticks(), most = spin_ticks();
  while (machine::ticks() - begin < most) {
    if (done()) return true;
    machine::cpu_relax();
  }
  return done();
}

void pending_call::wait() {
  if (begin_wait()) return;
  std::uint32_t seen = k_open;
  word_.compare_exchange_strong(seen, k_awaited, std::memory_order_relaxed);
  while (!done()) machine::futex_wait(word_, k_awaited);
}

bool pending_call::wait_for_us(std::uint64_t us) {
  if (begin_wait()) return true;
  const std::uint64_t begin = machine::now_ns(), most = us * 1000;
  std::uint32_t seen = k_open;
  word_.compare_exchange_strong(seen, k_awaited, std::memory_order_relaxed);
  while (!done()) {
    const std::uint64_t gone = machine::now_ns() - begin;
    if (gone >= most) return false;
    (void)machine::futex_wait_for(word_, k_awaited, most - gone);
  }
  return true;
}

}  // namespace gossamer::host
