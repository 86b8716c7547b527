// Yield: N fibers of one core, the main fiber among them, take turns. One round of the main fiber is N
// yields. Processor time.

#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

struct ring {
  std::uint64_t left = 0;    // other fibers that have not ended
  std::uint64_t yields = 0;  // of those that have
  bool stop = false;
};

void go_round(ring& r) {
  fiber::scheduler& core = this_core();
  std::uint64_t mine = 0;
  for (; !r.stop; ++mine) core.yield();
  r.yields += mine;
  --r.left;
}

double budget(std::uint64_t fibers) {
  if (fibers <= 1000) return 5;
  if (fibers == 100'000) return 12;
  return fibers == 1'000'000 ? 30 : k_none;
}

row take_turns(const settings& s, std::uint64_t fibers) {
  const std::uint64_t rounds = std::max<std::uint64_t>(2, s.pick(4'000'000, 20'000) / fibers);
  fiber::scheduler& core = this_core();
  ring r;
  for (; r.left + 1 < fibers; ++r.left) start_fiber<go_round>(r);
  const std::uint64_t others = r.left;
  std::uint64_t turns = 0;
  const samples ns = repeat(s, [&] {
    turns += rounds;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) core.yield();
           }) /
           static_cast<double>(rounds * fibers);
  });
  r.stop = true;
  while (r.left > 0) core.yield();
  const row measured = within(row_of("yield", yield_case(fibers), "ns", ns), budget(fibers));
  return point(checked(measured, r.yields == others * turns), k_yield_curve, static_cast<double>(fibers));
}

}  // namespace

void yield(const settings& s, const report& out) {
  for (const std::uint64_t fibers : yield_fibers(s)) {
    if (!out.room_for(fibers * k_fiber_bytes, "yield", yield_case(fibers))) continue;
    const std::size_t stack_bytes = fibers >= k_small_stacks_from ? 4 << 10 : 64 << 10;
    run(fiber_job(1, fibers, stack_bytes), [&] { out.add(take_turns(s, fibers)); });
  }
}

}  // namespace gossamer::bench
