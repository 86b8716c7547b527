#include "gossamer/mapreduce/internal/spilling/block_list.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gossamer/base/random.hpp"

namespace gossamer::mapreduce {
namespace {

bool same(const pair_block& a, const pair_block& b) {
  return a.place.at == b.place.at && a.place.stored == b.place.stored && a.place.raw == b.place.raw &&
         a.place.sum == b.place.sum && a.pairs == b.pairs;
}

TEST(BlockList, GivesBackWhatWasAdded) {
  xoshiro256 draw(7);
  const auto any = [&] { return draw() >> draw() % 64; };
  std::vector<pair_block> expected;
  block_list found;
  EXPECT_TRUE(found.empty());
  constexpr std::uint64_t k_all = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, k_all})
    expected.push_back({{x, x, x, x}, x});
  for (int i = 0; i < 10'000; ++i) expected.push_back({{any(), any(), any(), any()}, any()});
  for (const pair_block& b : expected) found.push_back(b);
  std::size_t i = 0;
  for (const pair_block& b : found) ASSERT_TRUE(same(b, expected[i++]));
  EXPECT_EQ(i, expected.size());
}

TEST(BlockList, IsReadWhileItGrows) {
  block_list all;
  block_list::position at;
  EXPECT_FALSE(all.has_more(at));
  for (std::uint64_t i = 1; i < 1000; ++i) {
    all.push_back({{i * 100, i, 2 * i, hash64(i)}, i});
    if (i % 7 == 0) continue;  // then two are added at once
    while (all.has_more(at)) {
      block_list::position here = at;
      EXPECT_TRUE(same(all.read(at), all.read(here)));
    }
    EXPECT_EQ(at.behind, i * 101);
  }
}

}  // namespace
}  // namespace gossamer::mapreduce
