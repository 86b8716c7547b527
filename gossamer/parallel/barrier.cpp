#include "gossamer/parallel/barrier.hpp"

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::parallel {

namespace {

// About as long as it takes to suspend and to be woken by a core that is awake; the first looks without a
// pause, since one would add to the latency of members that come at about the same time.
constexpr int k_eager_looks = 256, k_looks = 400;

}  // namespace

barrier_choice best_barrier(const barrier_shape& shape) {
  using enum barrier_algorithm;
  // Where cores share processors every signal may be a system call, so the fewest signals are best. Otherwise the fewest
  // steps in a row are, inside a process.
  const bool crowded = shape.cores_per_processor > 1;
  // Between processes a step is a message with its latency, and each further message costs its receiver a part of that. So
  // from five to fifteen processes one that receives them all is faster than three or four steps of all.
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
  // release: what came before is seen by the waiter; acquire: its waiter. Both pair with wait()
  const std::uint64_t before = w.exchange(2 * episode, std::memory_order_acq_rel);
  if ((before & 1) == 0) return;
  machine::preemption_point();
  fiber::fiber& f = *members_[waiter].waiter;
  f.home->wake_from_anywhere(f);
}

void process_flags::wait(fiber::scheduler& self, unsigned me, word& w, std::uint64_t episode) {
  const int looks = machine::simulated() == nullptr ? k_looks : 1;  // there others run while it is suspended
  for (int i = 0; spin_ && i < looks; ++i) {
    if (w.load(std::memory_order_acquire) >= 2 * episode) return;  // pairs with signal()'s exchange
    if (i >= k_eager_looks) machine::cpu_relax();
  }
  members_[me].waiter = self.running();
  machine::preemption_point();
  std::uint64_t now = w.load(std::memory_order_acquire);  // pairs with signal()'s exchange
  do {
    if (now >= 2 * episode) return;
    // release: publishes the waiter; acquire where the signal has come: both pair with signal()'s exchange
  } while (!w.compare_exchange_weak(now, now | 1, std::memory_order_release, std::memory_order_acquire));
  self.suspend("barrier");
  (void)w.load(std::memory_order_acquire);  // pairs with the exchange of the member that woke it
}

bool process_flags::arrive_last() {
  // acq_rel: the last one sees what all did before, and passes that on by its signals
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != cores_) return false;
  arrived_.store(0, std::memory_order_relaxed);  // before its signals, which release it to the next episode
  return true;
}

}  // namespace gossamer::parallel
