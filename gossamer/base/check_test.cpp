#include "gossamer/base/check.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(Check, IsOfACountWhatIsWrong) {
  EXPECT_TRUE(count_of_wrong(0, "cell is", "cells are"));
  EXPECT_EQ(count_of_wrong(0, "cell is", "cells are").reason, "");
  const check one = count_of_wrong(1, "cell is", "cells are");
  EXPECT_FALSE(one);
  EXPECT_EQ(one.reason, "1 cell is wrong");
  EXPECT_EQ(count_of_wrong(12'345, "cell is", "cells are").reason, "12,345 cells are wrong");
}

}  // namespace
}  // namespace gossamer
