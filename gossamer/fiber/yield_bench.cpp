// Yield: N fibers of one core, the main fiber among them, take turns. One round of the main fiber is N
// yields. Processor time.

#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

double budget(std::uint64_t fibers) {
  if (fibers <= 1000) return 5;
  if (fibers == 100'000) return 12;
  return fibers == 1'000'000 ? 30 : k_none;
}

/// Yields until `stop`; returns how often. A function of its own, so that what is measured is the switch and not where
/// the compiler keeps the variables around it: only one register survives a switch.
[[gnu::noinline]] std::uint64_t yield_until(const bool& stop) {
  std::uint64_t yields = 0;
  while (!stop) gossamer::yield(), ++yields;
  return yields;
}
[[gnu::noinline]] void yield_times(std::uint64_t rounds) {
  for (; rounds > 0; --rounds) gossamer::yield();
}

row take_turns(const settings& s, std::uint64_t fibers) {
  const std::uint64_t rounds = std::max<std::uint64_t>(2, s.pick(4'000'000, 20'000) / fibers);
  bool stop = false;
  std::uint64_t turns = 0, yields = 0;  // of the main fiber, of the others
  std::vector<joinable<void>> others;
  for (std::uint64_t i = 1; i < fibers; ++i)
    others.push_back(start(
        [&] {
          const std::uint64_t mine = yield_until(stop);
          yields += mine;
        },
        stacks_for(fibers)));
  const samples ns = repeat(s, [&] {
    turns += rounds;
    return cpu_ns_of([&] { yield_times(rounds); }) / static_cast<double>(rounds * fibers);
  });
  stop = true;
  for (auto& f : others) f.join();
  const row measured = within(row_of("yield", yield_case(fibers), "ns", ns), budget(fibers));
  return point(checked(measured, yields == others.size() * turns), k_yield_curve,
               static_cast<double>(fibers));
}

}  // namespace

void yield(const settings& s, const report& out) {
  for (const std::uint64_t fibers : yield_fibers(s)) {
    if (!out.room_for(fibers * k_fiber_bytes, "yield", yield_case(fibers))) continue;
    job_options o = fiber_job(1, fibers);
    o.small_stack_bytes = 4 << 10;
    run(o, [&] { out.add(take_turns(s, fibers)); });
  }
}

}  // namespace gossamer::bench
