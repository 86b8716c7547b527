#include "gossamer/combining/engine/internal/merge_choice.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace gossamer::combining {
namespace {

/// Simulates `rounds` commits of 2,000 fibers, whose requests merge `each` to one. Returns how many rounds
/// merged.
unsigned ask(merge_choice& c, unsigned rounds, std::uint64_t each) {
  constexpr std::uint64_t k_fibers = 2000;
  unsigned merged = 0;
  for (unsigned r = 0; r < rounds; ++r) {
    if (c.merges()) {
      c.observe(k_fibers, k_fibers / each);
      ++merged;
    } else {
      for (std::uint64_t f = 0; f < k_fibers && !c.merges(); ++f) c.count_alone();
    }
  }
  return merged;
}

TEST(MergeChoice, HotKeysMerge) {
  merge_choice c;
  EXPECT_EQ(ask(c, 1000, 4), 1000U);
}

TEST(MergeChoice, KeysThatDifferGoAloneAfterTwoCommits) {
  merge_choice c;
  EXPECT_EQ(ask(c, 4, 1), 2U);
  EXPECT_FALSE(c.merges());
  EXPECT_LE(ask(c, 5000, 1), 40U);  // trials, which become rare
}

TEST(MergeChoice, FollowsPhaseChanges) {
  merge_choice c;
  for (int phase = 0; phase < 3; ++phase) {
    ask(c, 50, 1);
    EXPECT_FALSE(c.merges());
    EXPECT_GE(ask(c, 100, 8), 50U);
    EXPECT_TRUE(c.merges());
  }
}

TEST(MergeChoice, SilenceAndLoneCommitsChangeNothing) {
  merge_choice c;
  for (int k = 0; k < 100; ++k) c.observe(0, 0);
  EXPECT_TRUE(c.merges());
}

TEST(MergeChoice,
     ABurstOfHotKeysBetweenCommitsIsFoundWithoutATrial) {  // keys of other processes merge all the time
  merge_choice c;
  for (int k = 0; k < 10; ++k) c.observe(1000, 1000);
  EXPECT_FALSE(c.merges());
  for (int k = 0; k < 3; ++k) c.observe(1000, 100);
  EXPECT_TRUE(c.merges());
  for (int k = 0; k < 8; ++k) c.observe(1000, 1000);
  EXPECT_FALSE(c.merges());
}

TEST(MergeChoice, DoesNotOscillateBetweenItsLimits) {
  merge_choice c;
  unsigned changes = 0;
  for (int k = 0; k < 1000; ++k) {  // 1.11 to 1.24 requests per question
    const bool before = c.merges();
    c.observe(111 + static_cast<std::uint64_t>(k * 5 % 14), 100);
    changes += c.merges() != before ? 1 : 0;
  }
  EXPECT_EQ(changes, 0U);
}

}  // namespace
}  // namespace gossamer::combining
