// Text for people, and the JSON object for scripts.

#include "output/text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "output/json.hpp"
#include "output/progress.hpp"

namespace gossamer::cli {
namespace {

TEST(Text, NearestForgivesSlipsOnly) {
  const std::vector<std::string> words{"--source", "--samples", "--seed", "--stats"};
  EXPECT_EQ(nearest("--sorce", words), "--source");
  EXPECT_EQ(nearest("--sam", words), "--samples");  // the beginning of a word
  EXPECT_EQ(nearest("--frobnicate", words), "");
  EXPECT_EQ(nearest("", words), "");
}

TEST(Text, ProgressSaysRateAndTimeLeft) {
  EXPECT_EQ(progress_line("reading", 2.54, 1, 0, 0, 99), "reading … 2.5 s");
  EXPECT_EQ(progress_line("counting", 2, 1, 1, 4, 64 << 20), "counting … 25 %, 8.0 MiB/s, 2.0 s, 6 s left");
  EXPECT_EQ(progress_line("counting", 2, 0, 1, 400, 0), "counting … 0 %, 2 s, 13 min left");
  EXPECT_EQ(progress_line("counting", 0.5, 1, 1, 4, 0), "counting … 25 %, 0.5 s");
  EXPECT_EQ(progress_line("counting", 2, 1, 0, 4, 1 << 20), "counting … 0 %, 2.0 s");
  EXPECT_EQ(progress_line("counting", 2, 1, 4, 4, 0), "counting … 100 %, 2.0 s");
}

TEST(Text, ShortenedCutsBetweenCharacters) {
  EXPECT_EQ(shortened("Käse … 3 s", 6), "Käse …");
  EXPECT_EQ(shortened("Käse … 3 s", 2), "Kä");
  EXPECT_EQ(shortened("Käse", 4), "Käse");
  EXPECT_EQ(shortened("Käse", 0), "");
}

TEST(Text, EditDistanceCountsEachSlipOnce) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("inof", "info"), 1u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Text, PrintableKeepsLinesWhole) {
  EXPECT_EQ(printable("a\nb\x1b[1m\x7f"), "a\\x0ab\\x1b[1m\\x7f");
  EXPECT_EQ(printable("Käse"), "Käse");
}

TEST(Text, PercentOfNothingIsNoNumber) {
  EXPECT_EQ(percent(1, 0), "-");
  EXPECT_EQ(percent(0, 10), "0.0 %");
  EXPECT_EQ(percent(1, 1'000'000), "<0.1 %");
  EXPECT_EQ(percent(1, 3), "33.3 %");
}

TEST(Text, TablesAlignByCharactersNotBytes) {
  table t({{"name", table::align::left}, {"n"}});
  t.row({"é", "1"});
  t.row({"abcdef", "1,000"});
  EXPECT_EQ(t.text(paint(false)), "  name        n\n  é           1\n  abcdef  1,000\n");
}

TEST(Text, PaintsOnlyWhenAsked) {
  EXPECT_EQ(paint(false).bold("x"), "x");
  EXPECT_EQ(paint(true).bold("x"), "\x1b[1mx\x1b[0m");
}

TEST(Json, KeepsTheOrderAndNestsByPath) {
  json_object o;
  o.set("zebra", std::uint64_t{1});
  o.set("seconds/load", 0.5);
  o.set("seconds/run", 1.0);
  o.set("apple", true);
  o.set("text", "x");
  EXPECT_EQ(o.text(), R"({"zebra":1,"seconds":{"load":0.5,"run":1.0},"apple":true,"text":"x"})");
}

TEST(Json, ArraysOfObjectsAndNumbers) {
  json_object row;
  row.set_label("vertex", label(std::string("a\"b")));
  row.set_label("big", label((std::uint64_t{1} << 53) + 1));
  json_object o;
  o.set_array("top");
  EXPECT_EQ(o.text(), R"({"top":[]})");
  o.append("top", std::move(row));
  o.set("levels", std::vector<std::uint64_t>{1, 2});
  EXPECT_EQ(o.text(), R"({"top":[{"vertex":"a\"b","big":"9007199254740993"}],"levels":[1,2]})");
}

TEST(Json, StaysValidWhateverItIsGiven) {
  json_object o;
  o.set("bytes", std::string_view("\xff\x01"));
  o.set("nan", std::numeric_limits<double>::quiet_NaN());
  o.set("inf", std::numeric_limits<double>::infinity());
  const auto back = nlohmann::json::parse(o.text());
  EXPECT_TRUE(back["nan"].is_null());
  EXPECT_TRUE(back["inf"].is_null());
}

}  // namespace
}  // namespace gossamer::cli
