#include "gossamer/graph/store/internal/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/random.hpp"

namespace gossamer::test {
namespace {

using graph::labels;

labels strings(const std::vector<std::string>& names) {
  struct table {
    std::vector<std::uint64_t> offsets{0};
    std::string bytes;
  };
  auto t = std::make_shared<table>();
  for (const auto& n : names) {
    t->bytes += n;
    t->offsets.push_back(t->bytes.size());
  }
  return labels::strings(t->offsets, t->bytes, t);
}

labels integers(std::vector<std::uint64_t> values) {
  auto keep = std::make_shared<std::vector<std::uint64_t>>(std::move(values));
  return labels::integers(*keep, keep);
}

TEST(Labels, RangeCountsFromItsFirst) {
  const labels l = labels::range(10, 1);
  EXPECT_EQ(l.label(0), "1");
  EXPECT_EQ(l.find("10"), 9U);
  EXPECT_EQ(l.find("0"), std::nullopt);
  EXPECT_EQ(l.find("11"), std::nullopt);
  EXPECT_EQ(l.find("x"), std::nullopt);
  EXPECT_EQ(l.find("-1"), std::nullopt);
  EXPECT_EQ(l.memory_bytes(), 0U);
}

TEST(Labels, IntegersAreFoundByValue) {
  const labels l = integers({3, 70, 18446744073709551615U});
  EXPECT_EQ(l.label(2), "18446744073709551615");
  EXPECT_EQ(l.find("70"), 1U);
  EXPECT_EQ(l.find("18446744073709551615"), 2U);
  EXPECT_EQ(l.find("4"), std::nullopt);
}

TEST(Labels, StringsAreFoundWhole) {
  const labels l = strings({"a", "ab", "", "ba"});
  EXPECT_EQ(l.label(1), "ab");
  EXPECT_EQ(l.find("ab"), 1U);
  EXPECT_EQ(l.find("b"), std::nullopt);
}

TEST(Labels, StringsOfAnyLengthAreFoundAsByASearchOfEach) {
  xoshiro256 random(7);
  std::vector<std::string> names;
  for (int i = 0; i < 400; ++i) {  // few letters, so that prefixes and suffixes are often equal
    std::string name;
    for (std::uint64_t length = bounded(random, 20); name.size() < length;) name += "ab"[bounded(random, 2)];
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  const graph::labels l = strings(names);
  const auto expected = [&names](const std::string& name) -> std::optional<graph::vertex_id> {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<graph::vertex_id>(at - names.begin());
  };
  for (const std::string& name : names)
    for (const std::string& text : {name, name + "a", "b" + name, name.substr(0, name.size() / 2)})
      EXPECT_EQ(l.find(text), expected(text)) << text;
}

TEST(Labels, CopiesShareTheTableOfStrings) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back("name " + std::to_string(i));
  const labels l = strings(names);
  const labels copy = l;
  const std::uint64_t before = l.memory_bytes();
  EXPECT_EQ(l.find("name 7"), 7U);  // reads all
  EXPECT_EQ(l.memory_bytes(), before);
  EXPECT_EQ(copy.find("name 4999"), 4999U);  // makes the table
  EXPECT_GE(l.memory_bytes(), before + 5000 * 12);
  EXPECT_LE(l.memory_bytes(), before + 5000 * 24 + 64);
  for (graph::vertex_id v = 0; v < 5000; ++v) ASSERT_EQ(l.find(names[v]), v);
  EXPECT_EQ(l.find("name 5000"), std::nullopt);
}

TEST(Nearest, CompletionsAndSmallErrorsFirst) {
  const labels l = strings({"zlib1g", "firefox-esr", "firefly", "fire", "emacs", "libfirefox"});
  EXPECT_EQ(l.nearest("firefox", 1), std::vector<std::string>{"firefox-esr"});
  EXPECT_EQ(l.nearest("emacz", 1), std::vector<std::string>{"emacs"});
  const auto typo = l.nearest("firefx", 2);
  ASSERT_FALSE(typo.empty());
  EXPECT_EQ(typo[0], "firefly");
  EXPECT_EQ(l.nearest("quite different", 3), std::vector<std::string>{});
}

TEST(Nearest, OfTyposIncludesLongerNames) {
  const labels l = strings({"zlib1g", "firefox-esr", "emacs"});
  EXPECT_EQ(l.nearest("firefx", 3), std::vector<std::string>{"firefox-esr"});
}

TEST(Nearest, NumbersByDifference) {
  EXPECT_EQ(integers({1, 50, 60, 1000}).nearest("58", 2), (std::vector<std::string>{"60", "50"}));
  EXPECT_EQ(labels::range(10).nearest("12", 2), (std::vector<std::string>{"9", "8"}));
  EXPECT_TRUE(labels::range(0).nearest("1", 2).empty());
}

}  // namespace
}  // namespace gossamer::test
