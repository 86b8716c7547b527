// Lines of edges against the oracle of delimited text: vertices are the fields that groups, sorted lines and
// counts have, too.
#include "gossamer/graph/formats/internal/scan.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/random.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"
#include "support/delimited_oracle.hpp"

namespace gossamer::graph {
namespace {

struct scanned_names {
  problem what;
  std::vector<std::string> names;
};

scanned_names scan_one(const std::string& line, const line_format& format) {
  name_dictionary names;
  std::vector<edge> room(most_edges(line.size(), format));
  const scan_result r = scan_names(line.data(), line.data() + line.size(), 0, format, names, room.data());
  scanned_names found{r.what, {}};
  for (std::uint64_t i = 0; i < r.edges; ++i)
    for (const vertex_id v : {room[i].from, room[i].to}) found.names.emplace_back(names.name(v));
  return found;
}

line_format random_format(xoshiro256& random) {
  line_format format;
  format.cut.blanks = bounded(random, 4) == 0;
  format.cut.separator = ",;\t|"[bounded(random, 4)];
  format.cut.quotes = bounded(random, 4) != 0;
  format.any_name = true;
  format.comments = comment_rule::none;
  format.most_columns = 2;
  return format;
}

TEST(Scan, NamesAreTheFieldsOfDelimitedText) {
  constexpr std::string_view k_letters = "aab,;|\t  \"\"";
  constexpr unsigned k_lines = 60'000;
  xoshiro256 random(11);
  unsigned edges = 0, faults = 0;
  for (unsigned i = 0; i < k_lines; ++i) {
    const line_format format = random_format(random);
    std::string line;
    for (std::uint64_t n = bounded(random, 14); n > 0; --n)
      line += k_letters[bounded(random, k_letters.size())];
    const test::oracle_fields expected = test::split_slowly(line, format.cut);
    const scanned_names found = scan_one(line + (bounded(random, 2) ? "\r\n" : "\n"), format);
    if (io::without_blanks(line).empty() || expected.values.size() > 4) continue;
    if (expected.fault) {
      ASSERT_EQ(found.what, problem::quote) << line;
      ++faults;
    } else if (expected.values.size() == 2 && !expected.values[0].empty() && !expected.values[1].empty()) {
      const bool has_tab = (expected.values[0] + expected.values[1]).find('\t') != std::string::npos;
      ASSERT_EQ(found.what, has_tab ? problem::bytes : problem::none) << line;
      if (has_tab) continue;
      ASSERT_EQ(found.names, expected.values) << line;
      ++edges;
    } else {
      ASSERT_EQ(found.what, problem::columns) << line;
    }
  }
  EXPECT_GT(edges, k_lines / 20);
  EXPECT_GT(faults, k_lines / 20);
}

TEST(Scan, IntegersAreTheFieldsOfDelimitedText) {
  xoshiro256 random(12);
  for (unsigned i = 0; i < 20'000; ++i) {
    line_format format = random_format(random);
    format.cut.quotes = true;
    const std::string separator = format.cut.blanks ? "  " : std::string(1, format.cut.separator);
    const auto field = [&](std::uint64_t id) {
      const std::string text = std::to_string(id), blanks(bounded(random, 2), ' ');
      return blanks + (bounded(random, 3) ? text : "\"" + text + "\"") + blanks;
    };
    const std::uint64_t from = bounded(random, 1000), to = bounded(random, 1000);
    std::string text = field(from) + separator + field(to) + "\n";
    for (unsigned more = 0; more < 10; ++more) text += "1" + separator + "2\n";  // enough for the fast scan
    std::vector<wide_edge> room(most_edges(text.size(), format));
    const scan_result r = scan_integers(text.data(), text.data() + text.size(), format, room.data());
    ASSERT_EQ(r.what, problem::none) << text;
    ASSERT_EQ(r.edges, 11U);
    ASSERT_EQ(room[0], (wide_edge{from, to})) << text;
  }
}

// A name with doubled quotes is unquoted into a scratch text, which ends with the scan.
TEST(Scan, WhatIsWrongLiesInTheText) {
  line_format format;
  format.cut.blanks = false;
  format.cut.separator = ';';
  format.cut.quotes = true;
  const std::string line = "\"a name of some length with \"\"quotes\"\" \xff\";2",
                    text = "1;2\n" + line + "\n3;4\n";
  const auto lies_there = [&](const scan_result& r) {
    return r.what != problem::none && r.culprit == line && r.culprit.data() == text.data() + 4;
  };
  std::vector<wide_edge> room(most_edges(text.size(), format));
  EXPECT_TRUE(lies_there(scan_integers(text.data(), text.data() + text.size(), format, room.data())));
  name_dictionary names;
  std::vector<edge> edges(room.size());
  EXPECT_TRUE(lies_there(scan_names(text.data(), text.data() + text.size(), 0, format, names, edges.data())));
}

TEST(Scan, NamesAQuoteInAFieldBeyondThoseThatAreInferred) {
  std::string line = "1";
  for (std::size_t i = 0; i <= io::k_most_inferred_fields; ++i) line += ",2";
  line_format format;
  format.cut.blanks = false;
  format.cut.separator = ',';
  format.cut.quotes = true;
  EXPECT_EQ(describe(problem::quote, line + ",\"open", format),
            "expected a quote that ends the field in its line (--no-quotes takes quotes as they stand), in " +
                in_quotes(line));
  EXPECT_TRUE(describe(problem::quote, line + ",\"x\"y", format).starts_with("expected a separator"));
}

}  // namespace
}  // namespace gossamer::graph
