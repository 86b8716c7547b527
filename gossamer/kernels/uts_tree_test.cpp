#include "gossamer/kernels/uts_tree.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "gossamer/base/error.hpp"

namespace gossamer::kernels {
namespace {

TEST(UtsTree, NamesAndArgumentsMeanTheSame) {
  for (const named_tree& n : named_trees()) {
    EXPECT_EQ(parse_tree(n.name), n.tree);
    EXPECT_EQ(parse_tree(arguments_of(n.tree)), n.tree) << arguments_of(n.tree);
    EXPECT_EQ(find_named(n.tree), &n);
  }
  EXPECT_EQ(parse_tree("t1l"), parse_tree("T1L"));
  EXPECT_EQ(parse_tree("  -t1 -a3   -d 10 -b 4 -r 19 "), parse_tree("T1"));
  EXPECT_EQ(parse_tree("-t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4"), parse_tree("T4"));
  EXPECT_EQ(find_named(parse_tree("-t 1 -a 3 -d 10 -b 4 -r 18")), nullptr);
}

TEST(UtsTree, RefusesWhatIsNone) {
  const auto complaint = [](const char* text) -> std::string {
    try {
      (void)parse_tree(text);
    } catch (const error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(complaint("T9").find("T1 T2 T3 T4 T5 T1L T2L T3L T1XL"), std::string::npos);
  EXPECT_NE(complaint("T1 T2").find("found \"T1 T2\""), std::string::npos);
  EXPECT_NE(complaint("").find("expected a tree"), std::string::npos);
  EXPECT_NE(complaint("-t 3").find("-t: expected a number from 0 to 2, found \"3\""), std::string::npos);
  EXPECT_NE(complaint("-q 1.5").find("-q: expected a number from 0 to 1"), std::string::npos);
  EXPECT_NE(complaint("-m 101").find("-m: expected a number from 0 to 100"), std::string::npos);
  EXPECT_NE(complaint("-d").find("-d: expected a number"), std::string::npos);
  EXPECT_NE(complaint("-d 10 -x 1").find("found \"-x\""), std::string::npos);
  EXPECT_NE(complaint("-d 10 T1").find("found \"T1\""), std::string::npos);
}

/// Compares the table with the definition at all its limits, and at random numbers.
void expect_equal_to_definition(const uts_tree& tree, std::uint32_t depth, std::mt19937& random) {
  children_table table(tree);
  const children_table::row& row = table.at(depth);
  const auto same = [&](std::uint32_t word) {
    ASSERT_EQ(row.children(word), children_of(tree, {0, 0, 0, 0, word}, depth))
        << arguments_of(tree) << ", depth " << depth << ", random " << (word & 0x7fffffff);
  };
  std::uint32_t before = row.children(0);
  bool any = before != 0;
  for (std::uint32_t low = 0; low < 0x7fffffff;) {  // to the end of this number of children
    std::uint32_t high = 0x7fffffff;
    while (low < high) {
      const std::uint32_t middle = low + (high - low + 1) / 2;
      if (row.children(middle) == before)
        low = middle;
      else
        high = middle - 1;
    }
    for (const std::uint32_t at : {low, low + 1, low | 0x80000000}) same(std::min(at, at | 0x80000000));
    if (low == 0x7fffffff) break;
    before = row.children(++low);
    any |= before != 0;
  }
  for (unsigned i = 0; i < 500; ++i) same(static_cast<std::uint32_t>(random()));
  EXPECT_EQ(row.barren(), !any);
}

TEST(UtsTree, TheTableIsTheDefinition) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (const named_tree& n : named_trees())
    for (const std::uint32_t depth :
         {1U, 2U, 7U, 8U, 9U, 10U, 11U, 15U, 16U, 17U, 20U, 21U, 69U, 80U, 81U, 115U, 500U})
      expect_equal_to_definition(n.tree, depth, random);
}

TEST(UtsTree, TheTableOfAnyTreeIsTheDefinition) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 60; ++i) {
    uts_tree t;
    t.kind = static_cast<uts_tree::law>(random() % 3);
    t.how = static_cast<uts_tree::shape>(random() % 4);
    t.mean = static_cast<double>(random() % 1000) / 100;
    t.limit = 1 + random() % 30;
    t.probability = static_cast<double>(random() % 1001) / 1000;
    t.children = random() % 10;
    t.turn = static_cast<double>(random() % 101) / 100;
    for (unsigned k = 0; k < 4; ++k) expect_equal_to_definition(t, 1 + random() % 60, random);
  }
}

TEST(UtsTree, ATreeWithoutEndIsRefused) {
  children_table endless(parse_tree("-t 1 -a 1 -b 0.5 -d 10"));
  EXPECT_THROW((void)endless.at(70'000), error);
}

}  // namespace
}  // namespace gossamer::kernels
