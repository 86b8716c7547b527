// Wake: making a waiting fiber ready, alone and with the switch to it, on the same core (processor time);
// and between two cores that spin, until the woken fiber runs (wall time). What the call costs its core is a row of its own, as in the
// paper's table.

#include <atomic>
#include <memory>

#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

/// Measures waking all sleeping fibers. Times only the wakes, not how the fibers then run and fall asleep
/// again.
row wake_same(const settings& s) {
  const std::uint64_t rounds = s.pick(1000, 10);
  fiber::scheduler& core = this_core();
  std::vector<fiber::fiber*> asleep, to_wake;
  std::uint64_t woken = 0, wakes = 0;
  bool stop = false;
  std::vector<joinable<void>> sleepers;
  for (std::size_t i = 0; i < k_sleepers; ++i)
    sleepers.push_back(start([&] {
      while (!stop) {
        asleep.push_back(core.running());
        core.suspend("the bench");
        ++woken;
      }
    }));
  const auto everybody_sleeps = [&] {
    while (asleep.size() < k_sleepers) core.yield();
    to_wake.swap(asleep);
    asleep.clear();
  };
  const auto wake_all = [&] {
    for (fiber::fiber* f : to_wake) core.wake(*f);
  };
  const samples ns = repeat(s, [&] {
    double sum = 0;
    for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) {
      everybody_sleeps();
      sum += cpu_ns_of(wake_all);
    }
    return sum / static_cast<double>(rounds * k_sleepers);
  });
  everybody_sleeps();
  const bool right = woken == wakes;
  stop = true;
  wake_all();
  for (auto& f : sleepers) f.join();
  return checked(within(row_of("wake", std::string(k_wake_case), "ns", ns), 5), right);
}

row wake_and_switch(const settings& s) {
  const std::uint64_t rounds = s.pick(1'000'000, 5000);
  fiber::scheduler& core = this_core();
  fiber::fiber* const self = core.running();
  fiber::fiber* partner = nullptr;
  std::uint64_t returns = 0, played = 0;
  bool stop = false;
  auto other = start([&] {
    partner = core.running();
    while (!stop) {
      core.wake(*self);
      core.suspend("the ball");
      ++returns;
    }
  });
  core.suspend("the partner");
  const samples ns = repeat(s, [&] {
    played += rounds;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) {
               core.wake(*partner);
               core.suspend("the ball");
             }
           }) /
           static_cast<double>(2 * rounds);
  });
  const bool right = returns == played;
  stop = true;
  core.wake(*partner);
  other.join();
  return checked(within(row_of("wake", std::string(k_wake_switch_case), "ns", ns), 12), right);
}

struct players {
  fiber::fiber* on[2] = {};
  std::uint64_t played[2] = {};
  samples ns;
};

/// Plays rounds on both cores: each wakes the other and waits for it.
void play(players& p, const settings& s) {
  const std::uint64_t rounds = s.pick(100'000, 2000);
  fiber::scheduler& core = this_core();
  const core_id me = here();
  p.on[me] = core.running();
  barrier();
  fiber::fiber& other = *p.on[1 - me];
  if (me == 1) core.suspend("the ball");
  const auto round = [&] {
    other.home->wake_from_anywhere(other);
    core.suspend("the ball");
    ++p.played[me];
  };
  const auto one_way = [&] {
    return wall_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) round();
           }) /
           static_cast<double>(2 * rounds);
  };
  const samples ns = repeat(s, one_way);
  if (me == 0) p.ns = ns;
  if (me == 0) other.home->wake_from_anywhere(other);  // from its last round
}

row wake_other(const settings& s, double line_ns) {
  const auto p = std::make_unique<players>();
  on_all_cores([p = p.get(), s] { play(*p, s); });
  const bool right = p->played[0] == p->played[1] && p->played[0] > 0;
  return checked(within_lines(row_of("wake", std::string(k_wake_other_case), "ns", p->ns), 0, 4, line_ns),
                 right);
}

/// Fibers that wait on core 1, for core 0 to wake.
struct far_sleepers {
  std::vector<fiber::fiber*> asleep;  // of core 1, until it says how many
  std::atomic<std::size_t> count{0};
  std::uint64_t woken = 0;
  bool stop = false;
};

/// Sleeps again and again. On core 1.
void sleep_on(far_sleepers& all) {
  fiber::scheduler& core = this_core();
  while (!all.stop) {
    all.asleep.push_back(core.running());
    all.count.store(all.asleep.size(), std::memory_order_release);  // pairs with wake_far()
    core.suspend("the bench");
    ++all.woken;
  }
}

/// Measures the calls that wake all sleeping fibers of the other core, by the caller's clock.
row wake_far(const settings& s) {
  const std::uint64_t rounds = s.pick(500, 10);
  const auto all = std::make_unique<far_sleepers>();
  samples ns;
  std::uint64_t wakes = 0;
  finish([&] {
    spawn_on(1, [all = all.get()] {
      all->asleep.reserve(k_sleepers);
      for (std::size_t i = 0; i < k_sleepers; ++i) spawn([all] { sleep_on(*all); });
    });
    const auto wake_all = [&] {
      while (all->count.load(std::memory_order_acquire) < k_sleepers)
        gossamer::yield();  // pairs with sleep_on()
      std::vector<fiber::fiber*> to_wake;
      to_wake.swap(all->asleep);
      all->asleep.reserve(k_sleepers);
      all->count.store(0, std::memory_order_relaxed);
      return wall_ns_of([&] {
        for (fiber::fiber* f : to_wake) f->home->wake_from_anywhere(*f);
      });
    };
    ns = repeat(s, [&] {
      double sum = 0;
      for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) sum += wake_all();
      return sum / static_cast<double>(rounds * k_sleepers);
    });
    while (all->count.load(std::memory_order_acquire) < k_sleepers) gossamer::yield();
    all->stop = true;
    wake_all();
  });
  return checked(row_of("wake", std::string(k_signal_case), "ns", ns), all->woken == wakes + k_sleepers);
}

}  // namespace

void wake(const settings& s, const report& out) {
  run(fiber_job(1, k_sleepers), [&] { out.add(wake_same(s)); });
  run(fiber_job(1, 16), [&] { out.add(wake_and_switch(s)); });
  const row line = line_transfer(s, "wake");
  out.add(line);
  run(fiber_job(2, 16), [&] { out.add(wake_other(s, line.value)); });
  run(fiber_job(2, k_sleepers), [&] { out.add(wake_far(s)); });
}

}  // namespace gossamer::bench
