#include "gossamer/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <unordered_set>
#include <vector>

namespace gossamer {
namespace {

static_assert(std::uniform_random_bit_generator<xoshiro256>);
static_assert(std::uniform_random_bit_generator<splitmix64>);

TEST(Random, SplitmixGivesThePublishedSequence) {
  splitmix64 numbers(1234567);  // values of the authors' reference program for this seed
  EXPECT_EQ(numbers(), 6457827717110365317U);
  EXPECT_EQ(numbers(), 3203168211198807973U);
  EXPECT_EQ(numbers(), 9817491932198370423U);
}

// The definition in the paper's words, on plain variables.
TEST(Random, XoshiroFollowsItsDefinition) {
  splitmix64 seeds(42);
  std::uint64_t a = seeds(), b = seeds(), c = seeds(), d = seeds();
  xoshiro256 engine(42);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t times5 = b * 5;
    ASSERT_EQ(engine(), ((times5 << 7) | (times5 >> 57)) * 9) << "number " << i;
    const std::uint64_t t = b << 17;
    c ^= a, d ^= b, b ^= c, a ^= d, c ^= t;
    d = (d << 45) | (d >> 19);
  }
}

TEST(Random, Hash64ChangesHalfOfTheBitsForEveryInputBit) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (std::uint64_t x = 0; x < 1000; ++x)
      changed += std::popcount(hash64(x) ^ hash64(x ^ (std::uint64_t{1} << bit)));
    EXPECT_NEAR(changed / 1000.0, 32.0, 1.5) << "input bit " << bit;
  }
}

TEST(Random, Hash64OfPairsSeparatesOrderAndStreams) {
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 200; ++a)
    for (std::uint64_t b = 0; b < 200; ++b) seen.insert(hash64(a, b));
  EXPECT_EQ(seen.size(), 40'000U);
}

TEST(Random, BoundedIsUniformAndBelowItsBound) {
  xoshiro256 engine(7);
  std::vector<int> counts(10);
  for (int i = 0; i < 100'000; ++i) ++counts.at(bounded(engine, counts.size()));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);  // five standard deviations
}

// With a bound of 3/4 of 2^64 a plain multiplication would give every third value twice as often.
TEST(Random, BoundedHasNoBiasForHugeBounds) {
  xoshiro256 engine(7);
  const std::uint64_t bound = (std::uint64_t{3} << 62);
  int lower_half = 0;
  int third_values = 0;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t x = bounded(engine, bound);
    ASSERT_LT(x, bound);
    lower_half += x < bound / 2;
    third_values += x % 3 == 0;
  }
  EXPECT_NEAR(lower_half, 15'000, 500);
  EXPECT_NEAR(third_values, 10'000, 500);
}

TEST(Random, BoundedOfOneIsZero) {
  xoshiro256 engine(7);
  EXPECT_EQ(bounded(engine, 1), 0U);
}

TEST(Random, UnitDoubleStaysBelowOne) {
  xoshiro256 engine(9);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = unit_double(engine);
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.01);
}

}  // namespace
}  // namespace gossamer
