#include "gossamer/base/bit_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gossamer/base/random.hpp"

namespace gossamer {
namespace {

TEST(BitSet, IsASet) {
  constexpr unsigned k_words = 3;
  bit_set bits(k_words);
  std::set<unsigned> plain;
  EXPECT_TRUE(bits.empty());
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto n = static_cast<unsigned>(hash64(i) % (64 * k_words));
    if (hash64(i, 1) % 3 == 0) {
      bits.set(n);
      plain.insert(n);
    } else {
      bits.clear(n);
      plain.erase(n);
    }
    ASSERT_EQ(bits.has(n), plain.contains(n));
    ASSERT_EQ(bits.count(), plain.size());
    ASSERT_EQ(bits.empty(), plain.empty());
    const auto from = static_cast<unsigned>(hash64(i, 2) % (64 * k_words + 1));
    const auto next = plain.lower_bound(from);
    ASSERT_EQ(bits.next(from), next == plain.end() ? 64 * k_words : *next) << "from " << from;
  }
}

TEST(BitSet, GivesWholeWords) {
  bit_set bits(2);
  bits.set(3);
  bits.set(64);
  EXPECT_EQ(bits.take_word(0), 8U);
  EXPECT_EQ(bits.take_word(0), 0U);
  EXPECT_TRUE(bits.has(64));
}

}  // namespace
}  // namespace gossamer
