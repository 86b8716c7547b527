#include "gossamer/parallel/job.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/combining/counter.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/parallel/per_process.hpp"
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

TEST_P(Job, IsRefusedInsideAJob) {
  std::string refused;
  run(job_options{.cores = GetParam()}, [&refused] {
    try {
      run(job_options{.cores = 1}, [] {});
    } catch (const error& e) {
      refused = e.what();
    }
  });
  EXPECT_EQ(refused, "run: called inside a job: call the function directly");
}

/// Makes an owner in one job and ends it outside of any, and another one inside a later job.
template <class Owner>
void outlive_the_job(const job_options& o) {
  std::optional<Owner> kept;
  run(o, [&] { kept.emplace(); });
  kept.reset();
  run(o, [&] { kept.emplace(); });
  run(o, [&] {
    kept.reset();
    kept.emplace();
    kept.reset();
  });
}

TEST(JobOwners, OfObjectsMayOutliveIt) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* where : {"processes=1 cores=2", "processes=3"}) {
    const job_options o{.simulate = simulation::options::parse(where)};
    outlive_the_job<scoped_per_core<std::uint64_t>>(o);
    outlive_the_job<scoped_per_process<std::uint64_t>>(o);
  }
  outlive_the_job<scoped_per_core<std::vector<int>>>(job_options{.cores = 2});
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

TEST(JobOptions, ReportsOfManyFibersAreShort) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  constexpr unsigned k_fibers = 50, k_cores = 20;
  try {
    run(job_options{.cores = k_cores}, [] {
      on_all_cores([] {
        fiber::event never;
        for (unsigned i = 0; i < k_fibers; ++i) spawn([&never] { never.wait("a train that does not come"); });
        never.wait("a train that does not come");
      });
    });
    FAIL() << "it came";
  } catch (const error& e) {
    const std::string what = e.what();
    EXPECT_LT(what.size(), 2000) << what;
    EXPECT_NE(what.find(" more fibers alike"), std::string::npos) << what;
    EXPECT_NE(what.find("::lambda) waits for a train that does not come"), std::string::npos) << what;
  }
}

TEST_P(Job, AnExceptionOfAFiberThatIsNotJoinedIsThatOfWhatEnclosesItsHandle) {
  const auto lose = [] { auto handle = start([] { throw std::out_of_range("not joined"); }); };
  run(job_options{.cores = GetParam()}, [&] {
    EXPECT_THROW(finish(lose), std::out_of_range);
    EXPECT_THROW(on_core(cores() - 1, lose), std::out_of_range);
  });
  EXPECT_THROW(run(job_options{.cores = GetParam()}, lose), std::out_of_range);
}

TEST(JobOptions, RefusalsOfFibersNameWhatRaisesTheirNumber) {
  const auto refusal = [](stack_class kind) {
    std::string what;
    run(job_options{.cores = 1, .fibers = 8, .small_fibers = 8}, [&what, kind] {
      fiber::event go;  // the fibers may start only after join() is called
      std::vector<joinable<void>> fibers;
      try {
        for (int i = 0; i < 10; ++i) fibers.push_back(start([&go] { go.wait("the end"); }, kind));
      } catch (const error& e) {
        what = e.what();
      }
      go.set();
    });
    return what;
  };
  EXPECT_EQ(refusal(stack_class::regular),
            "all 8 regular fibers of core 0 are in use: raise job_options::fibers (GOSSAMER_FIBERS)");
  EXPECT_EQ(
      refusal(stack_class::small),
      "all 8 small fibers of core 0 are in use: raise job_options::small_fibers (GOSSAMER_SMALL_FIBERS)");
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
    EXPECT_NE(std::string(e.what()).find("all 2 fibers of core 0 wait: none is left for its tasks, "
                                         "raise job_options::fibers (GOSSAMER_FIBERS)"),
              std::string::npos)
        << e.what();
  }
}

/// Makes stealable tasks that all wait until the last of them begins.
void run_tasks_that_wait(unsigned tasks) {
  scoped_per_core<fiber::event> release;
  const scoped_counter begun;
  finish([&, release = release.handle(), begun = begun.handle()] {
    for (unsigned i = 1; i <= tasks; ++i)
      spawn_stealable([=] {
        if (begun.fetch_add(1) + 1 == tasks) on_all_cores([release] { release.here().set(); });
        release.here().wait("the last task");
      });
  });
}

TEST_P(Job, StealableTasksThatWaitForOneAnotherHaveMoreFibersOnceNothingElseGoesOn) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "it bears 8,128 fibers";
  constexpr unsigned k_tasks = 5000;  // per core, and 4,096 workers
  run(job_options{.cores = GetParam()}, [] { run_tasks_that_wait(k_tasks * cores()); });
}

TEST_P(Job, AStallForWantOfFibersSaysSoWhereTasksAreLeftToSteal) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  try {
    run(job_options{.cores = GetParam(), .fibers = 4}, [] {
      const scoped_per_core<fiber::event> never;
      forall(0, 200, [never = never.handle()](std::uint64_t) { never.here().wait("what never comes"); }, 1);
    });
    FAIL() << "it came";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("all 4 fibers of core 0 wait: none is left for its tasks"),
              std::string::npos)
        << e.what();
  }
}

TEST(JobOptions, RefusesWhatMakesNoSense) {
  EXPECT_THROW(run(job_options{.cores = 1'000'000}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .packet_bytes = 100}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .fibers = 0}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .unexpected = 3'000'000}, [] {}), error);
  constexpr std::uint64_t k_any = ~std::uint64_t{0};  // times and sizes that are multiplied
  EXPECT_THROW(run(job_options{.cores = 1, .packets = k_any}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .flush_delay_us = k_any}, [] {}), error);
  EXPECT_THROW(run(job_options{.cores = 1, .spin_us = k_any}, [] {}), error);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 60, ~std::size_t{0}}) {
    EXPECT_THROW(run(job_options{.cores = 1, .stack_bytes = bytes}, [] {}), error);
    EXPECT_THROW(run(job_options{.cores = 1, .main_stack_bytes = bytes}, [] {}), error);
    EXPECT_THROW(run(job_options{.cores = 1, .small_stack_bytes = bytes}, [] {}), error);
  }
}

TEST(JobOptions, StacksMayBeAsLargeAsTheSettingsSay) {
  constexpr std::size_t k_most = 1 << 30;
  run(job_options{.cores = 2, .stack_bytes = k_most, .main_stack_bytes = k_most, .small_stack_bytes = k_most},
      [] { on_all_cores([] { EXPECT_EQ(start([] { return 1; }, stack_class::small).join(), 1); }); });
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
  EXPECT_DEATH(
      run(job_options{.cores = 8}, [] { on_all_cores([] { deep::down(100'000); }); }),
      "stack overflow on core ., fiber [0-9]+ .task gossamer::.*: its stack has [0-9]+ KiB, raise "
      "job_options::stack_bytes .GOSSAMER_STACK_BYTES.(.|\n)*::deep::down\n     and [0-9]+ more of it\n");
}

TEST(JobDeathTest, FailuresOnSmallStacksNameFunctions) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer) GTEST_SKIP() << "they need larger stacks";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      run(job_options{.cores = 1},
          [] { start([] { GOSSAMER_ASSERT(cores() == 0, "on purpose"); }, stack_class::small).join(); }),
      "assertion failed: cores.. == 0 .on purpose.(.|\n)*"
      "  #[0-9]+ gossamer::fiber::scheduler::fiber_entry\n");
}

TEST(JobDeathTest, AFaultOfTheProgramNamesTaskAndFunctions) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizers report the fault in their own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto read = [](const int* nothing) {
    run(job_options{.cores = 2},
        [nothing] { on_core(1, [nothing] { EXPECT_EQ(*static_cast<const volatile int*>(nothing), 0); }); });
  };
  EXPECT_DEATH(
      read(nullptr),
      "gossamer: segmentation fault at address .*\n  in core 1, fiber [0-9]+, task gossamer::.*\n(.|\n)*"
      "  #[0-9]+ gossamer::fiber::scheduler::fiber_entry\n");
}

}  // namespace
}  // namespace gossamer
