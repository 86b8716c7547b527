// Create: a fiber that only tells its parent that it has run, started and waited for one after the other, so
// that each finds the stack of the one before. And what a fiber that waits costs in memory.

#include "gossamer/machine/memory.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

struct family {
  fiber::fiber* parent = this_core().running();
  std::uint64_t ran = 0;
};

void child(family& f) {
  ++f.ran;
  this_core().wake(*f.parent);
}

row create_and_join(const settings& s) {
  const std::uint64_t children = s.pick(500'000, 5000);
  fiber::scheduler& core = this_core();
  family f;
  std::uint64_t asked = 0;
  const samples ns = repeat(s, [&] {
    asked += children;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < children; ++i) {
               start_fiber<child>(f);
               core.suspend("a child to end");
             }
           }) /
           static_cast<double>(children);
  });
  return checked(within(row_of("create", std::string(k_create_case), "ns", ns), 25), f.ran == asked);
}

struct crowd {
  std::vector<fiber::fiber*> waiting;
};

void wait_in(crowd& c) {
  fiber::scheduler& core = this_core();
  c.waiting.push_back(core.running());
  core.suspend("the bench to end");
}

/// Kilobytes (1,000 bytes) by which the process has grown, per fiber.
double memory_each(std::uint64_t fibers) {
  fiber::scheduler& core = this_core();
  crowd c;
  c.waiting.resize(fibers);  // touched before
  c.waiting.clear();
  const std::uint64_t before = machine::current_rss();
  for (std::uint64_t i = 0; i < fibers; ++i) start_fiber<wait_in>(c);
  while (c.waiting.size() < fibers) core.yield();
  const double grown = static_cast<double>(machine::current_rss()) - static_cast<double>(before);
  for (fiber::fiber* f : c.waiting) core.wake(*f);
  core.yield();
  return grown / static_cast<double>(fibers) / 1000;
}

}  // namespace

void create(const settings& s, const report& out) {
  run(fiber_job(1, 16, 64 << 10), [&] { out.add(create_and_join(s)); });

  const std::uint64_t fibers = s.pick(200'000, 20'000);
  if (!out.room_for(fibers * k_fiber_bytes, "create", k_memory_case)) return;
  const samples kilobytes = repeat(s, [&] {
    double each = 0;
    run(fiber_job(1, fibers, 4 << 10), [&] { each = memory_each(fibers); });
    return each;
  });
  out.add(within(row_of("create", std::string(k_memory_case), "KB", kilobytes), 4.4));
}

}  // namespace gossamer::bench
