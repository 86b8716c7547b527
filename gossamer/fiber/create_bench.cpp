// Create: a fiber that only counts itself, started and joined one after the other, so that each finds the
// stack of the one before. And what a fiber that waits costs in memory.

#include "gossamer/machine/memory.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

row create_and_join(const settings& s) {
  const std::uint64_t children = s.pick(500'000, 5000);
  std::uint64_t ran = 0, asked = 0;
  const samples ns = repeat(s, [&] {
    asked += children;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < children; ++i) start([&ran] { ++ran; }).join();
           }) /
           static_cast<double>(children);
  });
  return checked(within(row_of("create", std::string(k_create_case), "ns", ns), 25), ran == asked);
}

/// Returns the kilobytes (1,000 bytes) by which the process has grown, per fiber.
double memory_each(std::uint64_t fibers) {
  std::vector<joinable<void>> crowd(fibers);  // touched before
  std::vector<fiber::fiber*> waiting(fibers);
  std::uint64_t arrived = 0;
  const std::uint64_t before = machine::current_rss();
  for (auto& one : crowd)
    one = start(
        [&] {
          waiting[arrived++] = this_core().running();
          this_core().suspend("the bench to end");
        },
        stack_class::small);
  while (arrived < fibers) gossamer::yield();
  const double grown = static_cast<double>(machine::current_rss()) - static_cast<double>(before);
  for (fiber::fiber* f : waiting) this_core().wake(*f);
  for (auto& one : crowd) one.join();
  return grown / static_cast<double>(fibers) / 1000;
}

}  // namespace

void create(const settings& s, const report& out) {
  run(fiber_job(1, 16), [&] { out.add(create_and_join(s)); });

  const std::uint64_t fibers = s.pick(200'000, 20'000);
  if (!out.room_for(fibers * k_fiber_bytes, "create", k_memory_case)) return;
  job_options o = fiber_job(1, 16);
  o.small_fibers = fibers;
  o.small_stack_bytes = 4 << 10;
  const samples kilobytes = repeat(s, [&] {
    double each = 0;
    run(o, [&] { each = memory_each(fibers); });
    return each;
  });
  out.add(within(row_of("create", std::string(k_memory_case), "KB", kilobytes), 4.4));
}

}  // namespace gossamer::bench
