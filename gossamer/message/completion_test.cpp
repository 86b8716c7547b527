#include "gossamer/message/completion.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

TEST(Completion, WaitReturnsAtOnceWhenNothingIsOutstanding) {
  run(job_options{.cores = 1}, [] {
    message::completion c(message::endpoint::here());
    c.wait();
    c.issue(3);
    c.finish(3);
    c.wait();
  });
}

TEST(Completion, WaitsForFinishersOnAnotherThreadAgainAndAgain) {
  constexpr int k_rounds = 500;
  run(job_options{.cores = 2}, [] {  // core 1 idles; a stall is never reported while the thread is at work
    const auto owner = std::make_unique<message::completion>(message::endpoint::here());
    message::completion& c = *owner;
    for (int round = 0; round < k_rounds; ++round) {
      c.issue(1000);
      on_all_cores([p = global_ptr<message::completion>(0, &c)] {
        const int share = 1000 / static_cast<int>(cores());
        for (int i = 0; i < share; ++i) p.address()->finish(1);
      });
      c.wait();
    }
  });
}

TEST(Completion, KeepsTheFirstException) {
  run(job_options{.cores = 1}, [] {
    message::completion c(message::endpoint::here());
    c.issue(2);
    c.fail(std::make_exception_ptr(1));
    c.fail(std::make_exception_ptr(2));
    c.finish(2);
    try {
      c.wait();
      FAIL();
    } catch (int first) {
      EXPECT_EQ(first, 1);
    }
    c.wait();  // usable again, the exception delivered
  });
}

/// An exception that is counted as long as it lies anywhere. The processes of a simulation share the count.
struct counted_failure : std::runtime_error {
  static inline int alive = 0;

  counted_failure() : std::runtime_error("counted") { ++alive; }
  counted_failure(const counted_failure& other) : std::runtime_error(other) { ++alive; }
  counted_failure& operator=(const counted_failure&) = default;
  ~counted_failure() override { --alive; }
};

TEST(Completion, LeavesNoExceptionOfAnotherProcessBehind) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* cluster : {"processes=3 seed=1", "processes=4 seed=2 faults=all"}) {
    job_options o;
    o.cores = 2;
    o.simulate = simulation::options::parse(cluster);
    counted_failure::alive = 0;
    run(o, [] {
      const auto fails = [] { throw counted_failure(); };
      for (int round = 0; round < 5; ++round) {
        try {
          finish([fails] {
            for (core_id c = 0; c < cores(); ++c) async_on(c, fails), async_on(c, fails), spawn_on(c, fails);
          });
          ADD_FAILURE() << "nothing was thrown";
        } catch (const std::exception& e) {
          EXPECT_STREQ(e.what(), "counted");
        }
        EXPECT_THROW(call_on(cores() - 1, fails), error);
        EXPECT_THROW(on_core(cores() - 1, fails), error);
      }
      // What is told of a completion that is destroyed, too.
      finish([fails] {
        try {
          finish([fails] { spawn_on(cores() - 1, [fails] { on_all_cores(fails); }); });
        } catch (const std::exception&) {}
      });
    });
    EXPECT_EQ(counted_failure::alive, 0) << cluster;
  }
}

}  // namespace
}  // namespace gossamer
