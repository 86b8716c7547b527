#include "gossamer/parallel/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"
#include "support/throwing_move.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Loop : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Loop);

TEST_P(Loop, OnAllCoresRunsOnceOnEach) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<int> runs;
    const auto h = runs.handle();
    for (int i = 0; i < 100; ++i) on_all_cores([h] { ++h.here(); });
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(h.at(c), 100);
  });
}

TEST_P(Loop, ForallVisitsEveryIndexOnce) {
  run(job_options{.cores = GetParam()}, [] {
    for (std::uint64_t n : {0, 1, 2, 15, 1000, 100'000})
      for (std::uint64_t grain : {0, 1, 7}) {
        if (grain != 0 && n > 1000) continue;
        scoped_array<std::uint32_t> visits(n + 1);
        const auto h = visits.handle();
        forall(5, 5 + n, [h](std::uint64_t i) { h.async(i - 5, [](std::uint32_t& v) { ++v; }); }, grain);
        const auto view = h.freeze();
        for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(view[i], 1U) << i;
      }
  });
}

TEST_P(Loop, ChunksCoverTheRangeOnceThoughCoresStartUnequally) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint64_t n = 100'000;
    scoped_array<std::uint8_t> visits(n);
    const auto h = visits.handle();
    std::vector<std::uint64_t> bounds(cores() + 1, n);  // core 0 owns everything: the others take chunks
    bounds[0] = 0;
    auto* all = const_cast<std::uint8_t*>(h.freeze().data());
    forall_chunks(bounds, 64, [all](std::uint64_t b, std::uint64_t e) {
      ASSERT_LE(e - b, 64U);
      for (; b < e; ++b) ++all[b];
    });
    forall_chunks(0, n, 1000, [all](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) ++all[b];
    });
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(all[i], 2);
  });
}

TEST_P(Loop, ChunksOfAnySizeVisitEveryIndexOnce) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint64_t n = 1000, most = ~std::uint64_t{0};
    scoped_array<std::uint32_t> visits(n);
    auto* const all = const_cast<std::uint32_t*>(visits.handle().freeze().data());
    for (const std::uint64_t first : {std::uint64_t{0}, most / 2, most - n})
      for (const std::uint64_t grain : {std::uint64_t{1}, std::uint64_t{7}, n - 1, n, n + 1, most / 3,
                                        most / 2, most - n, most - 1, most}) {
        const auto body = [all, first](std::uint64_t b, std::uint64_t e) {
          for (; b < e; ++b)
            if (b - first < n) ++all[b - first];
        };
        std::fill_n(all, n, 0);
        forall_chunks(first, first + n, grain, body);
        ASSERT_EQ(std::count(all, all + n, 1), n) << "from " << first << ", grain " << grain;
        std::fill_n(all, n, 0);
        forall(first, first + n, [all, first](std::uint64_t i) { ++all[i - first]; }, grain);
        ASSERT_EQ(std::count(all, all + n, 1), n) << "from " << first << ", grain " << grain;
      }
    forall_chunks(5, 4, 1, [](std::uint64_t, std::uint64_t) { FAIL() << "5 to 4 is no range"; });
  });
}

TEST_P(Loop, BodiesMayWaitForAnswers) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_array<std::uint64_t> squares(2000);
    const auto h = squares.handle();
    forall(h, [](std::uint64_t i, std::uint64_t& e) { e = i * i; });
    scoped_per_core<std::uint64_t> sums;
    const auto s = sums.handle();
    forall(0, 2000, [h, s](std::uint64_t i) {
      const auto value = h.read(1999 - i);
      s.here() += value;
    });
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) expected += i * i;
    EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>{}), expected);
  });
}

TEST_P(Loop, TheFirstExceptionArrivesAndTheJobGoesOn) {
  run(job_options{.cores = GetParam()}, [] {
    EXPECT_THROW(forall(0, 10'000,
                        [](std::uint64_t i) {
                          if (i == 7777) throw std::runtime_error("seven");
                        }),
                 std::runtime_error);
    EXPECT_THROW(on_all_cores([] {
                   if (here() == cores() - 1) throw std::logic_error("last");
                 }),
                 std::logic_error);
    int runs = 0;
    finish([&] { spawn([&] { ++runs; }); });
    EXPECT_EQ(runs, 1);
  });
}

// An unbalanced tree: every node spawns up to 3 children by a hash, as stealable tasks.
void grow(per_core<std::uint64_t> nodes, std::uint64_t id, int depth) {
  ++nodes.here();
  const std::uint64_t children = depth == 0 ? 6 : hash64(id) % 4;
  for (std::uint64_t i = 0; depth < 14 && i < children; ++i)
    spawn_stealable([nodes, child = id * 8 + i + 1, depth] { grow(nodes, child, depth + 1); });
}
std::uint64_t tree_size(std::uint64_t id, int depth) {
  std::uint64_t n = 1;
  const std::uint64_t children = depth == 0 ? 6 : hash64(id) % 4;
  for (std::uint64_t i = 0; depth < 14 && i < children; ++i) n += tree_size(id * 8 + i + 1, depth + 1);
  return n;
}

TEST_P(Loop, StealableTasksAllRunWhereverTheyGo) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<std::uint64_t> nodes;
    finish([h = nodes.handle()] { spawn_stealable([h] { grow(h, 1, 0); }); });
    EXPECT_EQ(nodes.fold(std::uint64_t{0}, std::plus<>{}), tree_size(1, 0));
  });
}

TEST_P(Loop, OfferedTasksRunThoughAFiberYieldsForEver) {
  static std::atomic<int> ran;
  ran = 0;
  run(job_options{.cores = GetParam()}, [] {
    finish([] {
      for (int i = 0; i < 3; ++i) spawn_offered([] { ++ran; });
      while (ran < 3) yield();
    });
  });
}

TEST_P(Loop, TasksAreSpawnedOnOtherCores) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<std::uint64_t> hops;
    const auto h = hops.handle();
    finish([h] {
      for (core_id c = 0; c < cores(); ++c)
        spawn_on(c, [h, c] {
          EXPECT_EQ(here(), c);
          ++h.here();
          spawn_on((c + 1) % cores(), [h] { ++h.here(); });
        });
    });
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(h.at(c), 2U);
  });
}

TEST_P(Loop, SpawnedFunctionObjectsMayOwnThings) {
  run(job_options{.cores = GetParam()}, [] {
    std::size_t length = 0;
    finish([&] { spawn([text = std::string(100, 'x'), &length] { length = text.size(); }); });
    EXPECT_EQ(length, 100U);
  });
}

TEST_P(Loop, ATaskThatCannotBeMadeIsNotWaitedFor) {
  run(job_options{.cores = GetParam()}, [] {
    const int refused =
        test::start_until_made([](test::throwing_move body) { finish([&] { spawn(std::move(body)); }); });
    EXPECT_GE(refused, 2);
  });
}

TEST_P(Loop, NestedFinishWaitsForItsOwnWorkOnly) {
  run(job_options{.cores = GetParam()}, [] {
    fiber::event inner_done;
    int order = 0, outer_at = 0, inner_at = 0;
    finish([&] {
      spawn([&] {
        inner_done.wait();
        outer_at = ++order;
      });
      finish([&] { spawn([&] { inner_at = ++order; }); });
      inner_done.set();
    });
    EXPECT_EQ(inner_at, 1);
    EXPECT_EQ(outer_at, 2);
  });
}

/// Returns into how many tasks a loop over 1,000 indices is split on one core.
std::uint64_t tasks_of_a_loop(std::uint64_t grain_of_job, std::uint64_t grain_of_call) {
  std::uint64_t tasks = 0;
  run(job_options{.cores = 1, .loop_grain = grain_of_job}, [&] {
    const std::uint64_t before = statistics()[0].tasks;
    forall(0, 1000, [](std::uint64_t) {}, grain_of_call);
    tasks = statistics()[0].tasks - before;
  });
  return tasks;
}

TEST(LoopGrain, IsThatOfTheCallElseOfTheJobElseByTheSize) {
  const std::uint64_t one = tasks_of_a_loop(1000, 0), many = tasks_of_a_loop(1, 0);
  EXPECT_GE(many, one + 999);
  EXPECT_EQ(tasks_of_a_loop(1, 1000), one);
  const std::uint64_t by_size = tasks_of_a_loop(0, 0);  // 16 indices at least
  EXPECT_GT(by_size, one);
  EXPECT_LT(by_size, one + 1000 / 8);
}

/// Returns the maximum number of fibers that waited at once on a core in a loop, each of whose bodies sends a
/// request to another process.
template <class Loop>
std::uint64_t waiting_at_once(std::uint64_t grain_of_job, Loop loop) {
  job_options o;
  o.simulate = simulation::options::parse("processes=2 cores=1 network=qdr");
  o.loop_grain = grain_of_job;
  std::uint64_t most = 0;
  run(o, [&] {
    loop();
    most = statistics()[0].fibers_peak;
  });
  return most;
}

TEST(LoopGrain, OfLoopsWhoseBodiesWaitGivesMoreTasks) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "the simulation is not for the thread sanitizer";
  const auto over_indices = [](std::uint64_t grain) {
    return [grain] {
      const scoped_per_core<std::uint64_t> visits;
      forall(
          0, 4000, [v = visits.handle()](std::uint64_t) { call_on(1 - here(), [v] { ++v.here(); }); }, grain);
      EXPECT_EQ(visits.fold(std::uint64_t{0}, std::plus<>()), 4000U);
    };
  };
  EXPECT_LT(waiting_at_once(0, over_indices(16)),
            200U);  // 2,000 on a core; the call sets the grain
  EXPECT_LT(waiting_at_once(16, over_indices(0)), 200U);  // or the job sets it
  EXPECT_GT(waiting_at_once(0, over_indices(0)), 400U);
}

TEST(LoopGrain, OfElementsWhoseBodiesWaitGivesMoreTasks) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "the simulation is not for the thread sanitizer";
  const auto over_elements = [] {
    const scoped_array<std::uint64_t> a(4000);
    forall(a, [all = a.handle()](std::uint64_t index, std::uint64_t& mine) {
      mine = all.call((index + 2000) % 4000, [index](std::uint64_t&) { return index; });
    });
    EXPECT_EQ(
        forall(a, [](std::uint64_t x) { return x; }, std::uint64_t{0}, std::plus<>()), 4000U * 3999 / 2);
  };
  EXPECT_LT(waiting_at_once(16, over_elements), 10U);  // a setting keeps tasks of 1,024 elements
  EXPECT_GT(waiting_at_once(0, over_elements), 400U);
}

TEST(LoopGrain, WaitingIsSeenAlsoWhereTheFirstBodiesDoNot) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "the simulation is not for the thread sanitizer";
  const auto most_remote = [] {
    const scoped_array<std::uint64_t> a(4000);
    forall(a, [all = a.handle()](std::uint64_t index, std::uint64_t&) {
      if (index % 2000 < 5) return;
      all.call((index + 2000) % 4000, [](std::uint64_t& x) { ++x; });
    });
    EXPECT_EQ(forall(a, [](std::uint64_t x) { return x; }, std::uint64_t{0}, std::plus<>()), 3990U);
  };
  EXPECT_GT(waiting_at_once(0, most_remote), 100U);
}

TEST(LoopGrain, BodiesThatDoNotWaitAreNotCutFurther) {
  run(job_options{.cores = 1}, [] {
    const scoped_array<std::uint64_t> a(1000);
    const std::uint64_t before = statistics()[0].tasks;
    forall(a, [](std::uint64_t& x) { ++x; });
    EXPECT_LE(statistics()[0].tasks - before, 3U);
  });
}

}  // namespace
}  // namespace gossamer
