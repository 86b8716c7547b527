// The reader of delimited text against a slow one, on texts of every kind; errors for malformed records.
#include "gossamer/io/delimited.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/random.hpp"
#include "gossamer/io/internal/delimiter_masks.hpp"
#include "support/delimited_oracle.hpp"
#include "support/seed_range.hpp"

namespace gossamer::io {
namespace {

using test::delimited_columns;
using test::delimited_events;

using rows = std::vector<std::vector<std::string>>;

rows read_rows(std::string_view text, const delimited_format& format, const delimited_columns& columns,
               std::size_t batch_bytes = 64) {
  delimited_scratch scratch(batch_bytes);
  rows all;
  const delimited_result result =
      read_records(text, format, columns, scratch,
                   [&](const delimited_record& r) { all.emplace_back(r.fields.begin(), r.fields.end()); });
  EXPECT_FALSE(result.problem) << describe(*result.problem);
  EXPECT_EQ(result.records, all.size());
  return all;
}

delimited_problem first_problem(std::string_view text, const delimited_format& format,
                                const delimited_columns& columns) {
  delimited_scratch scratch;
  const delimited_result result =
      read_records(text, format, columns, scratch, [](const delimited_record&) {});
  if (!result.problem) ADD_FAILURE() << "no problem in " << text;
  return result.problem.value_or(delimited_problem{});
}

std::string repeated(std::string_view line, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += line;
  return text;
}

TEST(Delimited, GivesTheColumnsAskedFor) {
  const delimited_columns columns{0, 2};
  EXPECT_EQ(read_rows("a,b,c\nd,,f\n", {}, columns), (rows{{"a", "c"}, {"d", "f"}}));
  const rows many = read_rows(repeated("2021,Norway,12.5,x\n", 50), {}, {1, 2});
  EXPECT_EQ(many, rows(50, {"Norway", "12.5"}));
}

TEST(Delimited, TakesALastRecordWithoutALineEnd) {
  EXPECT_EQ(read_rows("a,b\r\nc,d\r\n", {}, {1}), (rows{{"b"}, {"d"}}));
  EXPECT_EQ(read_rows("a,b\nc,", {}, {1}), (rows{{"b"}, {""}}));
  EXPECT_EQ(read_rows("a,b\r", {}, {1}), (rows{{"b"}}));
  EXPECT_EQ(read_rows("", {}, {}), rows{});
}

TEST(Delimited, ReadsQuotedFieldsAsRfc4180Says) {
  const std::string line = "\"a, b\",\"say \"\"hi\"\"\",\"two\nlines\",\"\"\r\n";
  const rows expected(20, {"a, b", "say \"hi\"", "two\nlines", ""});
  for (const std::size_t batch : {64U, 128U, 4096U})
    EXPECT_EQ(read_rows(repeated(line, 20), {}, {0, 1, 2, 3}, batch), expected);
}

TEST(Delimited, TakesQuotesAsTheyAreWhereTheFormatHasNone) {
  delimited_format plain;
  plain.quotes = false;
  EXPECT_EQ(read_rows(repeated("5\" disk,\"x\n", 20), plain, {0, 1}), rows(20, {"5\" disk", "\"x"}));
}

TEST(Delimited, SeparatesAtRunsOfBlanks) {
  delimited_format blanks;
  blanks.blanks = true;
  EXPECT_EQ(read_rows(repeated("  a \t b   \"c d\"  \r\n \n", 20), blanks, {0, 1, 2}),
            rows(20, {"a", "b", "c d"}));
}

TEST(Delimited, LeavesOutBlanksAroundFieldsWhereAsked) {
  EXPECT_EQ(read_rows(" a b ,\t\"c\" , \" d\" ,\n", {.trims = true}, {0, 1, 2, 3}),
            (rows{{"a b", "c", " d", ""}}));
  EXPECT_EQ(read_rows(" a \t\t b\n", {.separator = '\t', .trims = true}, {0, 1, 2}), (rows{{"a", "", "b"}}));
  EXPECT_EQ(read_rows(" a , b\n", {}, {0, 1}), (rows{{" a ", " b"}}));
}

TEST(Delimited, PassesOverEmptyLinesUnlessTheyCount) {
  EXPECT_EQ(read_rows("a\n\n\r\nb\n", {}, {0}), (rows{{"a"}, {"b"}}));
  delimited_format counted;
  counted.empty_lines = true;
  EXPECT_EQ(read_rows("a\n\n\r\nb\n", counted, {0}), (rows{{"a"}, {""}, {""}, {"b"}}));
}

TEST(Delimited, ReadsRecordsThatAreLongerThanAChunk) {
  const std::string word(1000, 'x');
  const rows expected(3, {word, "z"});
  EXPECT_EQ(read_rows(repeated(word + ",y,z\n", 3), {}, {0, 2}), expected);
  EXPECT_EQ(read_rows(repeated("\"" + word + "\",\"\n\",z\n", 3), {}, {0, 2}), expected);
}

TEST(Delimited, SaysWhereFieldsAreMissing) {
  const delimited_problem p = first_problem("a,b,c\nd,e\n", {}, {0, 2});
  EXPECT_EQ(p.fault, delimited_fault::few_fields);
  EXPECT_EQ(describe(p), "expected at least 3 fields, found 2");
  EXPECT_EQ(p.record_at, 6U);
  EXPECT_EQ(p.at, 9U);
  EXPECT_EQ(p.record, "d,e");
}

TEST(Delimited, HoldsEachRecordToTheNumberOfFields) {
  delimited_format strict;
  strict.fields = 3;
  const delimited_problem p = first_problem("a,b,c\nd,e,f,g\n", strict, {0});
  EXPECT_EQ(describe(p), "expected 3 fields, found 4");
  EXPECT_EQ(p.at, 12U);
  EXPECT_EQ(describe(first_problem("a,b\n", strict, {0})), "expected 3 fields, found 2");
}

TEST(Delimited, SaysWhereQuotesAreMisplaced) {
  EXPECT_EQ(first_problem("a,\"b\nc,d\n", {}, {0}).fault, delimited_fault::open_quote);
  EXPECT_EQ(first_problem("a,\"b\nc,d\n", {}, {0}).at, 2U);
  EXPECT_EQ(first_problem("a,\"b\"c\n", {}, {0}).fault, delimited_fault::text_after_quote);
  EXPECT_EQ(first_problem("a,\"b\"c\n", {}, {0}).at, 5U);
  EXPECT_EQ(first_problem("a,5\" disk\n", {}, {0}).fault, delimited_fault::quote_in_field);
  EXPECT_EQ(first_problem("a,5\" disk\n", {}, {0}).at, 3U);
}

TEST(Delimited, CountsRecordsThatAreSkipped) {
  delimited_scratch scratch(64);
  unsigned problems = 0;
  const auto skip = [&](const delimited_problem&) { return ++problems < 40; };
  const std::string text = repeated("a,b\nc\n\"d\"x,e\n", 100);
  const delimited_columns columns{1};
  const delimited_result some =
      read_records(text, {}, columns, scratch, [](const delimited_record&) {}, skip);
  EXPECT_EQ(some.skipped, 39U);
  EXPECT_EQ(some.records, 20U);
  ASSERT_TRUE(some.problem);
  EXPECT_EQ(some.problem->fault, delimited_fault::text_after_quote);
}

TEST(DelimitedDeath, RefusesASeparatorThatIsAQuote) {
  delimited_scratch scratch;
  delimited_format format;
  format.separator = '"';
  EXPECT_DEATH(read_records("a", format, {}, scratch, [](const delimited_record&) {}), "separator");
}

TEST(DelimiterMasks, AreTheSameByWordsAndByVectors) {
  xoshiro256 random(7);
  for (int round = 0; round < 2000; ++round) {
    char bytes[k_block_bytes];
    for (char& c : bytes) c = static_cast<char>(round % 2 ? random() : "\",\n\x80\xac"[bounded(random, 5)]);
    for (const char c : {',', '"', '\n', '\0', '\x80', '\xff', '\xac'}) {
      std::uint64_t expected = 0;
      for (unsigned i = 0; i < k_block_bytes; ++i) expected |= std::uint64_t{bytes[i] == c} << i;
      ASSERT_EQ(word_block(bytes).equal(c), expected);
      ASSERT_EQ(vector_block(bytes).equal(c), expected);
    }
  }
}

// --- beside the oracle ----------------------------------------------------------------------------

// Random characters of a small alphabet, so that separators, quotes and line ends meet often.
std::string noise(xoshiro256& random, std::size_t bytes) {
  static constexpr std::string_view k_letters = "aab,,;\t \"\"\n\n\r", k_calm = "aabcdefgh,,\n ";
  const std::string_view letters = bounded(random, 2) ? k_letters : k_calm;
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += letters[bounded(random, letters.size())];
  return text;
}

std::string random_field(xoshiro256& random, char separator) {
  std::string field = noise(random, bounded(random, 12));
  const bool plain =
      field.find_first_of("\"\n\r \t") == std::string::npos && field.find(separator) == std::string::npos;
  if (plain && bounded(random, 4)) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// A table as programs write it, occasionally with a damaged byte.
std::string table(xoshiro256& random, char separator, std::size_t bytes) {
  std::string text;
  const std::size_t columns = 1 + bounded(random, 5);
  const bool returns = bounded(random, 2), damaged = bounded(random, 3) == 0;
  while (text.size() < bytes) {
    const std::size_t count = bounded(random, 8) ? columns : bounded(random, 7);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += separator;
      text += random_field(random, separator);
    }
    text += returns ? "\r\n" : "\n";
  }
  if (bounded(random, 2)) text.resize(bounded(random, text.size() + 1));
  if (damaged && !text.empty()) text[bounded(random, text.size())] = "\",\n\rx"[bounded(random, 5)];
  return text;
}

struct random_case {
  std::string text;
  delimited_format format;
  delimited_columns columns;
};

random_case make_case(std::uint64_t seed, std::size_t bytes) {
  xoshiro256 random(seed);
  random_case c;
  c.format.separator = ",;\t "[bounded(random, 4)];
  c.format.quotes = bounded(random, 4) != 0;
  c.format.blanks = bounded(random, 4) == 0;
  c.format.empty_lines = bounded(random, 2) != 0;
  c.format.trims = bounded(random, 4) == 0;
  for (std::uint32_t column = 0; column < 5; ++column)
    if (bounded(random, 3) == 0) c.columns.push_back(column);
  if (bounded(random, 3) == 0)
    c.format.fields =
        static_cast<std::uint32_t>(bounded(random, 3) + (c.columns.empty() ? 1 : c.columns.back() + 1));
  const std::size_t size = bounded(random, bytes);
  const char separator = c.format.blanks ? ' ' : c.format.separator;
  c.text = bounded(random, 3) == 0 ? noise(random, size) : table(random, separator, size);
  return c;
}

TEST(DelimitedOracle, ReadsRandomTextsAsTheOracleDoes) {
  delimited_scratch scratches[] = {delimited_scratch(64), delimited_scratch(192), delimited_scratch(8192),
                                   delimited_scratch(64, false), delimited_scratch(8192, false)};
  const test::seed_range seeds(6000);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const random_case c = make_case(seed, 700);
    const delimited_events expected = test::oracle_events(c.text, c.format, c.columns);
    for (delimited_scratch& scratch : scratches) {
      delimited_events got;
      test::read_events(c.text, 0, c.text.size(), c.format, c.columns, scratch, got);
      ASSERT_EQ(test::difference(got, expected), "") << "seed " << seed << ", text <" << c.text << ">";
    }
    xoshiro256 random(hash64(seed));
    std::vector<std::size_t> cuts(1 + bounded(random, 5));
    for (std::size_t& cut : cuts) cut = bounded(random, c.text.size() + 1);
    std::ranges::sort(cuts);
    ASSERT_EQ(
        test::difference(test::cut_events(c.text, cuts, c.format, c.columns, scratches[seed % 3]), expected),
        "")
        << "seed " << seed << ", cut at " << fmt::format("{}", fmt::join(cuts, " ")) << ", text <" << c.text
        << ">";
  }
}

// Errors are also found if a quote ends one block of bytes and the next character begins another.
TEST(DelimitedOracle, FindsMisplacedQuotesAtEveryPlace) {
  delimited_scratch scratch;
  for (const char* const middle :
       {",\"b\"x\n", ",\"\"\"b\"\"\"\r\n", ",\"b\"\r\r\n", ",\"b\",c\"d\n", "\n\"\n\"\n"}) {
    for (std::size_t before = 0; before <= 140; ++before) {
      const std::string text = std::string(before, 'a') + middle + repeated("c,\"d\"\n", 60);
      delimited_events got;
      test::read_events(text, 0, text.size(), {}, {0}, scratch, got);
      ASSERT_EQ(test::difference(got, test::oracle_events(text, {}, {0})), "")
          << before << " bytes before " << middle;
    }
  }
}

TEST(DelimitedOracle, ReadsTheSameWhereverTheTextIsCut) {
  delimited_scratch scratch(64);
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const random_case c = make_case(seed, 300);
    const delimited_events expected = test::oracle_events(c.text, c.format, c.columns);
    for (std::size_t cut = 0; cut <= c.text.size(); ++cut)
      ASSERT_EQ(test::difference(test::cut_events(c.text, {cut}, c.format, c.columns, scratch), expected), "")
          << "seed " << seed << ", cut at " << cut << ", text <" << c.text << ">";
  }
}

}  // namespace
}  // namespace gossamer::io
