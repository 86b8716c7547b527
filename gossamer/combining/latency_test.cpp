// Batches are sent without waiting to be aggregated: many fibers wait for them. Cores that are busy with
// other fibers send requests and answers long before job_options::flush_delay_us. In virtual time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "combining/combining_cases.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using test::in_fibers;

constexpr unsigned k_fibers = 64;

/// Runs ask(fiber) in many fibers of core 1, while every core has a fiber that never waits. Returns virtual
/// ns.
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

/// Runs f(most_ns) on 2 x 1 and 1 x 2 processes x cores.
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

/// One call with many keys has several batches of them under way. On a slow network it takes less than a
/// third of the time of the same keys one batch at a time.
TEST(CombiningLatency, OfManyLookupsIsHidden) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  const test::temporary_folder folder;
  const std::string slow = folder.plant("slow.net", "like = qdr\nlatency_ns = 100000\n");
  job_options o;
  o.simulate = simulation::options::parse("processes=2 cores=1 network=" + slow);
  run(o, [] {
    constexpr std::uint64_t k_keys = 1 << 14, k_part = 1024;
    const scoped_hash_map<std::uint64_t, std::uint64_t> m;
    std::vector<std::uint64_t> keys, values;
    for (std::uint64_t k = 0; k < k_keys; ++k) keys.push_back(hash64(k)), values.push_back(k);
    m.insert_all(keys, values);
    std::vector<std::optional<std::uint64_t>> found(k_keys);
    const std::uint64_t begin = machine::now_ns();
    for (std::uint64_t k = 0; k < k_keys; k += k_part)
      m.lookup_all(std::span(keys).subspan(k, k_part), std::span(found).subspan(k, k_part));
    const std::uint64_t between = machine::now_ns();
    std::ranges::fill(found, std::nullopt);
    m.lookup_all(keys, found);
    const std::uint64_t end = machine::now_ns();
    for (std::uint64_t k = 0; k < k_keys; ++k) EXPECT_EQ(found[k], k);
    EXPECT_LT(3 * (end - between), between - begin)
        << end - between << " against " << between - begin << " ns";
  });
}

}  // namespace
}  // namespace gossamer
