// Wake: making a waiting fiber ready, alone and with the switch to it, on the same core (processor time);
// and between two cores that spin, until the woken fiber runs (wall time).

#include <memory>

#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

constexpr std::size_t k_sleepers = 1000;

struct dormitory {
  std::vector<fiber::fiber*> asleep;
  std::uint64_t woken = 0;
  bool stop = false;
};

void sleep_again(dormitory& d) {
  fiber::scheduler& core = this_core();
  fiber::fiber* self = core.running();
  for (; !d.stop; ++d.woken) {
    d.asleep.push_back(self);
    core.suspend("the bench");
  }
}

/// All asleep are woken; only that is timed, not how they then run and fall asleep again.
row wake_same(const settings& s) {
  const std::uint64_t rounds = s.pick(1000, 10);
  fiber::scheduler& core = this_core();
  dormitory d;
  std::vector<fiber::fiber*> to_wake;
  const auto everybody_sleeps = [&] {
    while (d.asleep.size() < k_sleepers) core.yield();
    to_wake.swap(d.asleep);
    d.asleep.clear();
  };
  for (std::size_t i = 0; i < k_sleepers; ++i) start_fiber<sleep_again>(d);
  std::uint64_t wakes = 0;
  const samples ns = repeat(s, [&] {
    double sum = 0;
    for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) {
      everybody_sleeps();
      sum += cpu_ns_of([&] {
        for (fiber::fiber* f : to_wake) core.wake(*f);
      });
    }
    return sum / static_cast<double>(rounds * k_sleepers);
  });
  everybody_sleeps();
  const bool right = d.woken == wakes;
  d.stop = true;
  for (fiber::fiber* f : to_wake) core.wake(*f);
  core.yield();
  return checked(within(row_of("wake", std::string(k_wake_case), "ns", ns), 5), right);
}

struct table_tennis {
  fiber::fiber* other = nullptr;
  std::uint64_t returns = 0;
  bool stop = false;
};

void return_balls(table_tennis& t) {
  fiber::scheduler& core = this_core();
  for (; !t.stop; ++t.returns) {
    core.wake(*t.other);
    core.suspend("the ball");
  }
}

row wake_and_switch(const settings& s) {
  const std::uint64_t rounds = s.pick(1'000'000, 5000);
  fiber::scheduler& core = this_core();
  table_tennis t{core.running()};
  fiber::fiber& partner = start_fiber<return_balls>(t);
  core.suspend("the partner");  // who has the ball, and plays it here
  std::uint64_t played = 1;
  const samples ns = repeat(s, [&] {
    played += rounds;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) {
               core.wake(partner);
               core.suspend("the ball");
             }
           }) /
           static_cast<double>(2 * rounds);
  });
  const bool right = t.returns + 1 == played;  // the last one has not come back to its loop
  t.stop = true;
  core.wake(partner);
  core.yield();
  return checked(within(row_of("wake", std::string(k_wake_switch_case), "ns", ns), 12), right);
}

struct players {
  fiber::fiber* on[2] = {};
  std::uint64_t played[2] = {};
  samples ns;
};

/// On both cores; each wakes the other and waits for it.
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

}  // namespace

void wake(const settings& s, const report& out) {
  run(fiber_job(1, k_sleepers, 64 << 10), [&] { out.add(wake_same(s)); });
  run(fiber_job(1, 16, 64 << 10), [&] { out.add(wake_and_switch(s)); });
  const row line = line_transfer(s, "wake");
  out.add(line);
  run(fiber_job(2, 16, 64 << 10), [&] { out.add(wake_other(s, line.value)); });
}

}  // namespace gossamer::bench
