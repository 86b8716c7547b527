#include "gossamer/base/wide_integer.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(WideInteger, QuotientsAreRoundedOnce) {
  constexpr wide_integer k_most = static_cast<wide_integer>(~wide_unsigned{0} >> 1);
  EXPECT_EQ(nearest_quotient(1, 3), 1.0 / 3);
  EXPECT_EQ(nearest_quotient(-7, 2), -3.5);
  EXPECT_EQ(nearest_quotient(0, 5), 0);
  EXPECT_EQ(nearest_quotient((wide_integer{1} << 54) + 2, 1), 0x1p54);  // a tie goes to the even one
  EXPECT_EQ(nearest_quotient((wide_integer{1} << 54) + 3, 1), 0x1p54 + 4);
  EXPECT_EQ(nearest_quotient((wide_integer{1} << 55) + 5, 2),
            0x1p54 + 4);  // what the division leaves decides
  EXPECT_EQ(nearest_quotient(wide_integer{6} * 1'760'000'000'123'456'789, 6), 1'760'000'000'123'456'789.0);
  EXPECT_EQ(nearest_quotient(k_most, 1), 0x1p127);
  EXPECT_EQ(nearest_quotient(-k_most - 1, 1), -0x1p127);
  EXPECT_EQ(nearest_quotient(k_most, ~std::uint64_t{0}), 0x1p63);
  EXPECT_EQ(nearest_quotient(1, ~std::uint64_t{0}), 0x1p-64);
}

}  // namespace
}  // namespace gossamer
