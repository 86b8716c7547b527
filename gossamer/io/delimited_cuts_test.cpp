// Chunks of delimited text begin with records, whatever is in quotes.
#include "gossamer/io/delimited_cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gossamer/base/random.hpp"
#include "support/delimited_oracle.hpp"

namespace gossamer::io {
namespace {

TEST(DelimitedCuts, NextRecordFollowsTheLineFeed) {
  EXPECT_EQ(next_record("ab\ncd", 0), 3U);
  EXPECT_EQ(next_record("ab\ncd", 2), 3U);
  EXPECT_EQ(next_record("ab\ncd", 3), 5U);
}

TEST(DelimitedCuts, FirstRecordFollowsALineFeedOutsideQuotes) {
  EXPECT_EQ(first_record_after("a\nb\n", false), 2U);
  EXPECT_EQ(first_record_after("a\nb\"\nc", true), 5U);
  EXPECT_EQ(first_record_after("a\nb\n", true), 4U);
  const std::string far = std::string(200, '\n') + "\"\nx";
  EXPECT_EQ(first_record_after(far, true), 202U);
}

TEST(DelimitedCuts, ARecordStartsAtTheCutAfterALineFeed) {
  EXPECT_EQ(record_start("a\nb\nc", 2, false), 2U);
  EXPECT_EQ(record_start("a\nb\nc", 3, false), 4U);
  EXPECT_EQ(record_start("\"\nb\"\nc", 2, true), 5U);
  EXPECT_EQ(record_start("", 0, false), 0U);
}

// Texts of quotes, line feeds and letters, long enough for several blocks.
TEST(DelimitedCuts, AgreeWithACountOfEachQuote) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    xoshiro256 random(seed);
    std::string text;
    for (std::size_t n = bounded(random, 300), rare = 1 + bounded(random, 60); n > 0; --n)
      text += bounded(random, rare) ? 'a' : "\"\n"[bounded(random, 2)];
    for (const bool quotes : {false, true}) {
      const auto extents = test::oracle_extents(text, quotes);
      std::size_t whole = 0;
      for (const auto& e : extents) whole = e.line_feed ? e.end : whole;
      ASSERT_EQ(whole_records(text, quotes), whole) << "seed " << seed;
      for (std::size_t at = 0; at <= text.size(); ++at) {
        const std::uint64_t before = count_quotes(std::string_view(text).substr(0, at));
        ASSERT_EQ(before, static_cast<std::uint64_t>(
                              std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '"')));
        const auto next =
            std::find_if(extents.begin(), extents.end(), [&](const auto& e) { return e.begin >= at; });
        ASSERT_EQ(record_start(text, at, quotes && before % 2 != 0, quotes),
                  next == extents.end() ? text.size() : next->begin)
            << "seed " << seed << ", at " << at;
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::io
