#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"

namespace gossamer::graph {
namespace {

struct scanned {
  scan_result result;
  std::vector<std::pair<std::string, std::string>> edges;
};

// Scans each line separately.
scanned line_by_line(std::string_view text, const line_format& format) {
  scanned s;
  const char* const end = text.data() + text.size();
  line_scratch scratch;
  for (const char* p = text.data();;) {
    s.result.stopped = p;
    if (p == end) return s;
    std::string_view bytes;
    const char* const next = take_line(p, end, bytes);
    const scanned_line line = scan_line(bytes, format, true, scratch);
    s.result.what = line.what;
    if (line.what == problem::none && !line.skip) {
      for (const std::string_view name : {line.from, line.to})
        if (!format.any_name && is_wide_number(name)) s.result.what = problem::bad_id;
      name_dictionary names;
      if (s.result.what == problem::none)
        for (const std::string_view name : {line.from, line.to})
          if (names.number(name, 0) == k_no_vertex) s.result.what = problem::bytes;
    }
    if (s.result.what != problem::none) return s;
    s.result.skipped += line.skip;
    s.result.counts += line.counts;
    s.result.weights += line.weighted;
    if (!line.skip) s.edges.emplace_back(line.from, line.to);
    p = next;
  }
}

scanned by_batches(std::string_view text, const line_format& format) {
  scanned s;
  name_dictionary names;
  std::vector<edge> edges(most_edges(text.size(), format));
  s.result = scan_names(text.data(), text.data() + text.size(), 0, format, names, edges.data());
  for (std::uint64_t i = 0; i < s.result.edges; ++i)
    s.edges.emplace_back(names.name(edges[i].from), names.name(edges[i].to));
  return s;
}

// Separators, quotes, comment markers and line ends are frequent, and names have all lengths around eight
// bytes.
std::string random_lines(xoshiro256& random, char separator, bool wild) {
  constexpr std::string_view k_odd = "\"\"#%/ ,;|\t\r.+-0\x7f\x01\xc3\xa4\xff";
  std::string text;
  for (std::uint64_t lines = bounded(random, 90) + 1; lines > 0; --lines) {
    const auto name = [&] {
      for (std::uint64_t i = bounded(random, 12) + 1; i > 0; --i)
        text += wild && bounded(random, 60) == 0 ? k_odd[bounded(random, k_odd.size())]
                                                 : static_cast<char>('0' + bounded(random, 3));
      if (bounded(random, 40) == 0) text += "00000000000000000000";
    };
    text += bounded(random, 4) == 0 ? "" : "n";
    name();
    text += separator;
    name();
    if (bounded(random, 3) == 0) text += std::string(1, separator) + "1.5";
    text += bounded(random, 9) == 0 ? "\r\n" : "\n";
    if (bounded(random, 20) == 0) text += bounded(random, 2) == 0 ? "\n" : "# words\n";
  }
  if (bounded(random, 3) == 0) text.pop_back();
  return text;
}

// Consecutive lines of few sources, which have a common prefix or are longer than a word.
std::string lines_of_few_sources(xoshiro256& random, char separator, const std::string& prefix) {
  std::string text, source = prefix + "1";
  for (int i = 0; i < 60; ++i) {
    if (bounded(random, 4) == 0)
      source = prefix + std::string(1 + bounded(random, 10), '1') + (i % 2 ? "2" : "");
    text += source + (bounded(random, 20) == 0 ? "0" : "") +
            std::string(1 + (bounded(random, 20) == 0), separator);
    text += prefix + std::to_string(bounded(random, 1000)) + (bounded(random, 30) == 0 ? " 7\n" : "\n");
    if (bounded(random, 30) == 0) text += std::string(bounded(random, 12), '\n');
  }
  return text;
}

TEST(ScanNames, ReadsLinesOfTheSameSource) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    xoshiro256 random(seed);
    line_format format;
    format.usual = "\t "[seed % 2];
    const std::string text = lines_of_few_sources(random, format.usual, "n");
    const scanned expected = line_by_line(text, format), found = by_batches(text, format);
    ASSERT_EQ(found.result.what, problem::none);
    ASSERT_EQ(found.edges, expected.edges) << "seed " << seed << "\n" << text;
    ASSERT_EQ(found.result.skipped, expected.result.skipped) << "seed " << seed;
  }
}

TEST(ScanIntegers, ReadsLinesOfTheSameSource) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    xoshiro256 random(seed);
    line_format format;
    format.usual = "\t "[seed % 2];
    format.first_id = seed % 3 == 0;
    const std::string text = lines_of_few_sources(random, format.usual, seed % 5 == 0 ? "9" : "");
    const scanned expected = line_by_line(text, format);
    std::vector<wide_edge> edges(most_edges(text.size(), format));
    const scan_result r = scan_integers(text.data(), text.data() + text.size(), format, edges.data());
    // 0 is no id where ids begin with 1
    const auto bad = std::ranges::find(expected.edges, "0", &std::pair<std::string, std::string>::second);
    const bool all = format.first_id == 0 || bad == expected.edges.end();
    ASSERT_EQ(r.what, all ? problem::none : problem::bad_id) << text;
    ASSERT_EQ(r.edges, all ? expected.edges.size() : static_cast<std::size_t>(bad - expected.edges.begin()));
    for (std::uint64_t i = 0; i < r.edges; ++i) {
      ASSERT_EQ(std::to_string(edges[i].from + format.first_id), expected.edges[i].first) << text;
      ASSERT_EQ(std::to_string(edges[i].to + format.first_id), expected.edges[i].second) << text;
    }
  }
}

TEST(ScanNames, ReadsLinesOfTheUsualFormAsAllOthers) {
  std::uint64_t edges = 0, problems = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    xoshiro256 random(seed);
    line_format format;
    format.cut.blanks = bounded(random, 2) == 0;
    format.cut.quotes = bounded(random, 3) != 0;
    format.usual = format.cut.blanks ? " \t"[bounded(random, 2)] : "\t,;|"[bounded(random, 4)];
    if (!format.cut.blanks) format.cut.separator = format.usual;
    format.any_name = bounded(random, 2) == 0;
    format.comments = static_cast<comment_rule>(bounded(random, 3));
    format.least_columns = static_cast<std::uint8_t>(2 + bounded(random, 5) / 4);
    format.most_columns =
        static_cast<std::uint8_t>(3 - (format.least_columns == 2 && bounded(random, 5) == 0));
    if (bounded(random, 5) == 0) format.nulls = {"NA"};
    format.picks = bounded(random, 5) == 0;
    const std::string text = random_lines(random, format.usual, bounded(random, 3) == 0);
    const scanned expected = line_by_line(text, format), found = by_batches(text, format);
    ASSERT_EQ(found.result.what, expected.result.what) << "seed " << seed << "\n" << text;
    ASSERT_EQ(found.result.stopped - text.data(), expected.result.stopped - text.data()) << "seed " << seed;
    ASSERT_EQ(found.edges, expected.edges) << "seed " << seed << "\n" << text;
    ASSERT_EQ(found.result.skipped, expected.result.skipped) << "seed " << seed;
    ASSERT_EQ(found.result.counts.comments, expected.result.counts.comments) << "seed " << seed;
    ASSERT_EQ(found.result.weights, expected.result.weights) << "seed " << seed;
    edges += found.edges.size();
    problems += found.result.what != problem::none;
  }
  EXPECT_GT(edges, 50'000U);
  EXPECT_GT(problems, 300U);
}

}  // namespace
}  // namespace gossamer::graph
