#include "gossamer/message/completion.hpp"

#include <gtest/gtest.h>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"

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

}  // namespace
}  // namespace gossamer
