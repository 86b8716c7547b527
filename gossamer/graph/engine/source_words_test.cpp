#include "gossamer/graph/engine/source_words.hpp"

#include <gtest/gtest.h>

#include <array>

#include "gossamer/base/random.hpp"

namespace gossamer::graph {
namespace {

using counts = std::array<std::uint64_t, k_word_sources>;

// Words with few bits, many, and none; numbers of words around multiples of eight, which are added at once.
TEST(SourceCounts, CountTheWordsThatHaveEachSource) {
  source_counts counted;  // reused
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    xoshiro256 random(seed);
    counts expected{}, found{};
    const std::uint64_t words = bounded(random, seed < 100 ? 40 : 3000);
    for (std::uint64_t i = 0; i < words; ++i) {
      source_word w = random();
      for (std::uint64_t n = bounded(random, 4); n > 0; --n) w &= random();
      counted.add(w);
      for (std::size_t s = 0; s < k_word_sources; ++s) expected[s] += w >> s & 1;
    }
    counted.take([&](std::uint64_t s, std::uint64_t n) {
      EXPECT_EQ(found[s], 0U);
      EXPECT_NE(n, 0U);
      found[s] = n;
    });
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}

TEST(SourceWords, OfTheFirstSourcesHaveTheirBits) {
  EXPECT_EQ(first_sources(0), 0U);
  EXPECT_EQ(first_sources(3), 7U);
  EXPECT_EQ(first_sources(k_word_sources), ~source_word{0});
}

}  // namespace
}  // namespace gossamer::graph
