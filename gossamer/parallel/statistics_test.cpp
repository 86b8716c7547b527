// Counters of stealing, and of active fibers over time. On simulated clusters, where both are the same in
// every run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

class Statistics : public testing::Test {
 protected:
  void SetUp() override {
    if (test::k_thread_sanitizer) GTEST_SKIP() << "the simulation is not for the thread sanitizer";
  }
};

job_options cluster(const std::string& what) {
  job_options o;
  o.simulate = simulation::options::parse(what);
  return o;
}

constexpr std::uint64_t counters::* k_steal_sizes[] = {
    &counters::steals_of_1,  &counters::steals_of_2,  &counters::steals_of_4,  &counters::steals_of_8,
    &counters::steals_of_16, &counters::steals_of_32, &counters::steals_of_64, &counters::steals_of_128};

/// A task that starts sixteen more, down to tasks of one, and yields.
void divide(std::uint64_t n) {
  charge_work(5000);
  yield();
  for (int i = 0; n > 1 && i < 16; ++i) spawn_stealable([n] { divide(n / 16); });
}

/// Runs 4,369 stealable tasks, a tree that begins on core 0. Returns the steals by size, and at last the tasks stolen.
std::vector<std::uint64_t> steals(const job_options& o) {
  std::vector<std::uint64_t> found;
  run(o, [&] {
    finish([] { divide(4096); });
    counters all;
    for (const counters& c : statistics())
      for (const auto& field : k_counter_fields) all.*field.member += c.*field.member;
    for (const auto size : k_steal_sizes) found.push_back(all.*size);
    found.push_back(all.steals);
  });
  return found;
}

TEST_F(Statistics, StealsAreCountedByTheTasksThatWereTakenAtOnce) {
  job_options o = cluster("processes=1 cores=4 network=qdr");
  o.steal_chunk = 1;
  std::vector<std::uint64_t> found = steals(o);
  EXPECT_GT(found[0], 20U);
  EXPECT_EQ(found[0], found.back());  // each of one task
  o.steal_chunk = 5;
  found = steals(o);
  EXPECT_GT(found[2], 5U);
  EXPECT_EQ(found[3] + found[4] + found[5] + found[6] + found[7], 0U);
  EXPECT_LE(found[0] + 2 * found[1] + 4 * found[2], found.back());
  EXPECT_GE(found[0] + 3 * found[1] + 5 * found[2], found.back());
}

TEST_F(Statistics, StealsOfOtherProcessesAreCountedWhereTasksLeave) {
  job_options o = cluster("processes=2 cores=1 network=qdr");
  o.steal_tasks = 3;
  const std::vector<std::uint64_t> found = steals(o);
  EXPECT_GT(found[1], 0U);
  EXPECT_EQ(found[2] + found[3] + found[4] + found[5] + found[6] + found[7], 0U);
  EXPECT_LE(found[0] + 2 * found[1], found.back());
  EXPECT_GE(found[0] + 3 * found[1], found.back());
}

TEST_F(Statistics, FibersThatWaitAreActiveUntilTheyHaveTheirAnswers) {
  constexpr std::uint64_t waiting = 40;
  job_options o = cluster("processes=2 cores=1 network=qdr");
  o.activity_us = 1;
  run(o, [&] {
    finish([] {
      for (std::uint64_t i = 0; i < waiting; ++i) spawn([] { (void)call_on(1, [] { return here(); }); });
    });
    const std::vector<activity> found = activities();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_GE(found[0].most_active(), waiting);
    EXPECT_LT(found[1].most_active(), waiting);
    // A round trip takes at least 2 us.
    EXPECT_GE(found[0].waiting_ns(), waiting * 2000);
    EXPECT_LE(found[0].waiting_ns(), (waiting + 10) * found[0].noted_ns());
    EXPECT_LE(found[0].size(), activity::k_intervals);
  });
}

TEST_F(Statistics, NothingIsNotedUnlessASettingAsksForIt) {
  run(job_options{.cores = 2}, [] { EXPECT_TRUE(activities().empty()); });
}

}  // namespace
}  // namespace gossamer
