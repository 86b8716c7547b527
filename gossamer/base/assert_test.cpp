#include "gossamer/base/assert.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gossamer
