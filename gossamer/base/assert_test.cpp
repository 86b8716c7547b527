#include "gossamer/base/assert.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cstring>

namespace gossamer {
namespace {

TEST(AssertDeathTest, NamesExpressionPlaceAndMessage) {
  EXPECT_DEATH(GOSSAMER_ASSERT(1 + 1 == 3, "arithmetic is broken"),
               R"(gossamer: assertion failed: 1 \+ 1 == 3 \(arithmetic is broken\) at .*assert_test\.cpp:)");
}

TEST(AssertDeathTest, PrintsTheContextThatWasInstalled) {
  set_failure_context([](char* buffer, std::size_t size) -> std::size_t {
    constexpr char k_text[] = "core 3, fiber 7";
    std::memcpy(buffer, k_text, sizeof k_text - 1 < size ? sizeof k_text - 1 : size);
    return sizeof k_text - 1;
  });
  EXPECT_DEATH(GOSSAMER_ASSERT(false), "  in core 3, fiber 7\n");
  set_failure_context(nullptr);
}

TEST(AssertDeathTest, CutsALineThatIsTooLongInsteadOfOverrunning) {
  static char long_message[5000];
  std::memset(long_message, 'x', sizeof long_message - 1);
  EXPECT_DEATH(GOSSAMER_ASSERT(false, long_message), "assertion failed: false \\(xxxx");
}

/// No other file can see it: its name is in no table of exported symbols.
__attribute__((noinline)) void fails_here() { fatal("deep down"); }

TEST(AssertDeathTest, NamesTheFunctionsOfTheStack) {
  // AddressSanitizer warns of the stack that the names are printed on.
  EXPECT_DEATH(fails_here(), "gossamer: deep down\n(==.*\n)?  #[0-9]+ gossamer::fails_here\n");
}

TEST(AssertDeathTest, FatalPrintsItsLine) { EXPECT_DEATH(fatal("all is lost"), "gossamer: all is lost\n"); }

TEST(Assert, EvaluatesItsExpressionOnceAndPasses) {
  int evaluations = 0;
  GOSSAMER_ASSERT(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

/// Matches text that has a part exactly once.
class exactly_once : public ::testing::MatcherInterface<const std::string&> {
 public:
  explicit exactly_once(std::string part) : part_(std::move(part)) {}
  bool MatchAndExplain(const std::string& text, ::testing::MatchResultListener*) const override {
    const std::size_t first = text.find(part_);
    return first != text.npos && text.find(part_, first + 1) == text.npos;
  }
  void DescribeTo(std::ostream* out) const override { *out << "has exactly once: " << part_; }

 private:
  std::string part_;
};

TEST(AssertDeathTest, OfThreadsThatFailTogetherOneReports) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail_together = [] {
    std::barrier all(8);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        all.arrive_and_wait();
        fatal("one of many");
      });
  };
  for (int round = 0; round < 5; ++round)
    EXPECT_DEATH(fail_together(),
                 ::testing::Matcher<const std::string&>(new exactly_once("gossamer: one of many")));
}

}  // namespace
}  // namespace gossamer
