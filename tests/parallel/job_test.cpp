#include "gossamer/parallel/job.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Job : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Job);

TEST_P(Job, RunsMainOnCoreZeroAndEnds) {
  for (int i = 0; i < 20; ++i) {
    int seen = -1;
    run(job_options{.cores = GetParam()}, [&] {
      seen = static_cast<int>(here());
      EXPECT_EQ(cores(), GetParam());
    });
    EXPECT_EQ(seen, 0);
  }
}

TEST_P(Job, RethrowsWhatMainThrew) {
  EXPECT_THROW(run(job_options{.cores = GetParam()}, [] { throw std::out_of_range("main"); }),
               std::out_of_range);
}

TEST_P(Job, RunsInsideACatchBlockAndLeavesItsException) {
  try {
    try {
      throw std::out_of_range("before the job");
    } catch (...) {
      run(job_options{.cores = GetParam()}, [] {
        finish([] { spawn([] { yield(); }); });
        try {
          throw std::runtime_error("in the job");
        } catch (const std::runtime_error&) {
          yield();
        }
        EXPECT_EQ(std::current_exception(), nullptr);
      });
      throw;
    }
  } catch (const std::out_of_range& e) {
    EXPECT_STREQ(e.what(), "before the job");
  }
}

TEST_P(Job, IsRefusedWhileAnotherThreadRunsOne) {
  std::string refused;
  run(job_options{.cores = GetParam()}, [&refused] {
    const machine::thread other("second", [&refused] {
      try {
        run(job_options{.cores = 1}, [] {});
      } catch (const error& e) {
        refused = e.what();
      }
    });
  });
  EXPECT_NE(refused.find("another thread of this process runs a job"), std::string::npos) << refused;
  run(job_options{.cores = GetParam()}, [] {});
}

TEST_P(Job, WaitsForWhatMainLeftRunning) {
  int done = 0;
  run(job_options{.cores = GetParam()}, [&] {
    for (int i = 0; i < 10; ++i)
      spawn([&] {
        for (int k = 0; k < 50; ++k) fiber::scheduler::current()->yield();
        ++done;
      });
  });
  EXPECT_EQ(done, 10);
}

TEST_P(Job, StatisticsCountTasksAndMessagesOfEveryCore) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      for (int i = 0; i < 1000; ++i) async_on((here() + 1) % cores(), [] {});
    });
    const auto all = statistics();
    ASSERT_EQ(all.size(), cores());
    for (const auto& c : all) {
      EXPECT_GE(c.tasks, 1U);
      EXPECT_GE(c.messages, 1000U);
    }
  });
}

TEST_P(Job, AStallEndsItWithAReportOfWhoWaits) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  try {
    run(job_options{.cores = GetParam()}, [] {
      fiber::event never;
      never.wait("a train that does not come");
    });
    FAIL() << "it came";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("stalled"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("(main) waits for a train that does not come"), std::string::npos)
        << e.what();
  }
}

TEST(JobOptions, AStallForWantOfFibersSaysSo) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  const auto nested = [](std::size_t fibers) {
    run(job_options{.cores = 1, .fibers = fibers},
        [] { on_core(0, [] { on_core(0, [] { on_core(0, [] {}); }); }); });
  };
  nested(3);
  try {
    nested(2);
    FAIL() << "it needs three fibers";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("all 2 fibers of core 0 wait: none is left for its tasks "
                                         "(job_options::fibers)"),
              std::string::npos)
        << e.what();
  }
}

TEST(JobOptions, RefusesWhatMakesNoSense) {
  EXPECT_THROW(run(job_options{.cores = 1'000'000}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .packet_bytes = 100}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .fibers = 0}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .unexpected = 3'000'000}, [] {}), error);
}

TEST(JobDeathTest, AStackOverflowNamesCoreFiberAndTask) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizers report the overflow in their own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  struct deep {
    static int down(int n) {
      volatile char room[1024];
      room[0] = static_cast<char>(n);
      return n == 0 ? room[0] : down(n - 1) + room[0];
    }
  };
  EXPECT_DEATH(run(job_options{.cores = 2}, [] { on_all_cores([] { deep::down(100'000); }); }),
               "stack overflow on core . fiber|stack overflow on core ., fiber");
}

}  // namespace
}  // namespace gossamer
