#include "gossamer/host/future.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::host {
namespace {

// How long a waiting thread polls for the answer before it sleeps. Short calls end meanwhile and need no
// wake-up of the thread. A sleeping core needs ~10 us to run.
constexpr std::uint64_t k_poll_us = 40;

}  // namespace

pending_call::pending_call() : process_(machine::process_id()) {}

void pending_call::publish() noexcept {
  // release: the value and all writes of the call; acquire is not needed: no data of the waiter is read
  if (word_.exchange(k_done, std::memory_order_acq_rel) == k_awaited) machine::futex_wake_all(word_);
}

/// Polls for a short time. Returns whether the call has ended. Yields the processor, because core 0 may be
/// bound to the same one.
bool pending_call::begin_wait() const {
  if (done()) return true;
  if (fiber::scheduler::current() != nullptr)
    throw error("future: waited for inside a call of the runtime: the core that waits would have to run it");
  if (machine::process_id() != process_)
    throw error(fmt::format("future: this process was forked from process {}, where the call is", process_));
  const std::uint64_t begin = machine::ticks(), most = k_poll_us * machine::ticks_per_us();
  while (machine::ticks() - begin < most) {
    if (done()) return true;
    machine::yield_thread();
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
  constexpr std::uint64_t k_longest_us = std::numeric_limits<std::uint64_t>::max() / 1000;
  const std::uint64_t begin = machine::now_ns(), most = std::min(us, k_longest_us) * 1000;
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
