#include "gossamer/parallel/barrier.hpp"

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::parallel {

namespace {

// Approximately the time to suspend and to be woken by another running core. The first polls have no pause,
// which would add to the latency if members arrive at about the same time.
constexpr int k_eager_polls = 256, k_polls = 400;

}  // namespace

barrier_choice best_barrier(const barrier_shape& shape) {
  using enum barrier_algorithm;
  // If cores share processors, every signal may be a system call, so the pattern with the fewest signals is
  // best. Otherwise, inside a process, it is the one with the fewest steps in sequence.
  const bool crowded = shape.cores_per_processor > 1;
  // Between processes a step is a message with its latency, and each further message costs its receiver a
  // part of that. So from five to fifteen processes, one process that receives from all is faster than three
  // or four steps of all.
  constexpr unsigned k_few = 4, k_many = 16;
  const bool by_one = shape.processes > k_few && shape.processes < k_many;
  return {crowded ? centralised : dissemination, by_one ? centralised : dissemination};
}

process_flags::process_flags(unsigned cores, bool spin)
    : cores_(cores),
      arrivals_(barrier_flags::arrivals(cores)),
      flags_each_(barrier_flags::count(arrivals_, cores)),
      spin_(spin),
      flags_(std::make_unique<flag_line[]>(std::size_t{cores} * flags_each_)),
      members_(std::make_unique<member[]>(cores)) {}

void process_flags::signal(unsigned waiter, word& w, std::uint64_t episode) {
  // release: the waiter sees prior writes; acquire: its waiter. Both pair with wait()
  const std::uint64_t before = w.exchange(2 * episode, std::memory_order_acq_rel);
  if ((before & 1) == 0) return;
  machine::preemption_point();
  fiber::fiber& f = *members_[waiter].waiter;
  f.home->wake_from_anywhere(f);
}

void process_flags::wait(fiber::scheduler& self, unsigned me, word& w, std::uint64_t episode) {
  // In a simulation other contexts run only while this one is suspended.
  const int polls = machine::simulated() == nullptr ? k_polls : 1;
  for (int i = 0; spin_ && i < polls; ++i) {
    if (w.load(std::memory_order_acquire) >= 2 * episode) return;  // pairs with signal()'s exchange
    if (i >= k_eager_polls) machine::cpu_relax();
  }
  members_[me].waiter = self.running();
  machine::preemption_point();
  std::uint64_t now = w.load(std::memory_order_acquire);  // pairs with signal()'s exchange
  do {
    if (now >= 2 * episode) return;
    // release: publishes the waiter; acquire if the signal has arrived: both pair with signal()'s exchange
  } while (!w.compare_exchange_weak(now, now | 1, std::memory_order_release, std::memory_order_acquire));
  self.suspend("barrier");
  (void)w.load(std::memory_order_acquire);  // pairs with the exchange of the member that woke it
}

bool process_flags::arrive_last() {
  // acq_rel: the last one sees the prior writes of all, and publishes them by its signals
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != cores_) return false;
  arrived_.store(0, std::memory_order_relaxed);  // before its signals, which start the next episode
  return true;
}

}  // namespace gossamer::parallel
