#include "parse/places.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"

namespace gossamer::cli {
namespace {

using counts = std::vector<unsigned>;

TEST(ProcessCounts, AreListsAndDoublings) {
  EXPECT_EQ(process_counts("-n", "1"), counts{1});
  EXPECT_EQ(process_counts("-n", "2,3,50"), (counts{2, 3, 50}));
  EXPECT_EQ(process_counts("-n", "1..16"), (counts{1, 2, 4, 8, 16}));
  EXPECT_EQ(process_counts("-n", "3..13"), (counts{3, 6, 12, 13}));
  EXPECT_EQ(process_counts("-n", "1,3..12,100"), (counts{1, 3, 6, 12, 100}));
  for (const char* text : {"1,2,4,...,32", "1,2,4,…,32", "1,2,4..32", "1..32", "1…32"})
    EXPECT_EQ(process_counts("-n", text), (counts{1, 2, 4, 8, 16, 32})) << text;
}

TEST(ProcessCounts, RefuseWhatDoesNotRise) {
  for (const char* text : {"", ",", "1,", "0", "1,1", "2,1", "4..2", "4..4", "1..", "..4", "x", "1,,2", "-1",
                           "1..x", "16385", "1..99999999999", "1 2", "..."})
    EXPECT_THROW(process_counts("-n", text), error) << text;
}

TEST(FilledWords, HaveValuesInPlaceOfBraces) {
  const std::vector<std::string> words{"gups", "--updates", "{1000*processes}",
                                       "kron:{14+log2(cores)}:{2*2+3*cores}"};
  EXPECT_TRUE(has_places(words));
  EXPECT_EQ(filled(words, 4, 12), (std::vector<std::string>{"gups", "--updates", "4000", "kron:17:40"}));
  EXPECT_EQ(filled({"{processes}{cores}"}, 3, 6), (std::vector<std::string>{"36"}));
  EXPECT_FALSE(has_places({"bfs", "kron:4"}));
}

TEST(FilledWords, RefuseWhatIsNoNumber) {
  for (const char* word : {"{", "{}", "{nodes}", "{processes", "{processes+}", "{log2(0)}", "{2*}",
                           "{processes cores}", "{18446744073709551615+1}", "{4294967296*4294967296}"})
    EXPECT_THROW(filled({word}, 2, 4), error) << word;
}

}  // namespace
}  // namespace gossamer::cli
