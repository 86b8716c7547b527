// Batches do not linger for company: many fibers wait for them. Cores that are busy with other fibers ask,
// and answer, long before job_options::flush_delay_us. On virtual time.

#include <gtest/gtest.h>

#include "combining/combining_cases.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

using test::in_fibers;

constexpr unsigned k_fibers = 64;

/// ask(fiber) by many fibers of core 1, while every core has one that never waits: virtual ns.
template <class Ask>
std::uint64_t asked_beside_busy_fibers(Ask ask) {
  const scoped_per_core<bool> asked;
  on_all_cores([all = asked.handle()] { all.here() = false; });
  std::uint64_t took_ns = 0;
  finish([&, all = asked.handle()] {
    for (core_id c = 0; c < cores(); ++c)
      spawn_on(c, [all] {
        while (!all.here()) yield();
      });
    took_ns = on_core(1, [ask] {
      const std::uint64_t begin = machine::now_ns();
      in_fibers(k_fibers, ask);
      return machine::now_ns() - begin;
    });
    on_all_cores([all] { all.here() = true; });
  });
  return took_ns;
}

/// f on 2 x 1 and 1 x 2 processes x cores; f(most_ns).
template <class F>
void on_two_simulated(F f) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const unsigned processes : {1U, 2U}) {
    SCOPED_TRACE(processes);
    job_options o;
    o.simulate = simulation::options{};
    o.simulate->processes = processes;
    o.simulate->cores = 2 / processes;
    o.simulate->faults = "none";
    run(o, [f, most_ns = o.flush_delay_us * 1000 / 4] { f(most_ns); });
  }
}

TEST(CombiningLatency, OfPushes) {
  on_two_simulated([](std::uint64_t most_ns) {
    scoped_stack<std::uint64_t> s(combine::local);
    EXPECT_LT(asked_beside_busy_fibers([s = s.handle()](unsigned f) { s.push(f); }), most_ns);
  });
}

TEST(CombiningLatency, OfDequeuesOfWhatAnotherCoreHas) {
  on_two_simulated([](std::uint64_t most_ns) {
    scoped_queue<std::uint64_t> q(combine::local);
    in_fibers(k_fibers, [q = q.handle()](unsigned f) { q.enqueue(f); });
    EXPECT_LT(asked_beside_busy_fibers([q = q.handle()](unsigned) { EXPECT_TRUE(q.dequeue().has_value()); }),
              most_ns);
  });
}

TEST(CombiningLatency, OfInsertsAndLookups) {
  on_two_simulated([](std::uint64_t most_ns) {
    scoped_hash_set<std::uint64_t> all(combine::local);
    EXPECT_LT(asked_beside_busy_fibers([all = all.handle()](unsigned f) {
                all.insert(f);
                EXPECT_TRUE(all.contains(f));
              }),
              most_ns);
  });
}

}  // namespace
}  // namespace gossamer
