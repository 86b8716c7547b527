#include "gossamer/machine/process_end.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gossamer::machine {
namespace {

TEST(ProcessEndDeathTest, CodeIsTold) {
  const auto body = [] {
    at_exit([](int code) { std::fprintf(stderr, "code %d\n", code); });
    std::exit(7);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(7), "code 7");
}

TEST(ProcessEndDeathTest, ComesInTimeWhateverHangsAtTheEnd) {
  const auto body = [] {
    at_exit([](int code) {
      end_process_after(1, code);
      while (true) ::pause();
    });
    std::exit(7);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(7), "");
}

TEST(ProcessEndDeathTest, TheLastBoundCounts) {
  const auto body = [] {
    end_process_after(1000, 3);
    end_process_after(1, 4);
    while (true) ::pause();
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "");
}

TEST(ProcessEndDeathTest, ThreadDoesNothingBeforeTheProcessEnds) {
  const auto body = [] {
    end_process_after(1, 4, 1);
    while (::pause() == 0) {}  // returns once a handler has returned
    std::_Exit(5);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "");
}

TEST(ProcessEndDeathTest, IsNotBoundAnyMoreOnceThatIsTakenBack) {
  const auto body = [] {
    end_process_after(1000, 3);
    end_process_no_more();
    std::exit(static_cast<int>(::alarm(0)));  // what is left of a bound, in seconds
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gossamer::machine
