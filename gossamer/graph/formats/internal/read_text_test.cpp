// Chunks and rounds far smaller than usual, so that their borders fall into every line.
#include "gossamer/graph/formats/internal/read_text.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

graph::text_options tuning(std::uint64_t chunk, std::uint64_t round) {
  graph::text_options t;
  t.chunk_bytes = chunk;
  t.round_bytes = round;
  return t;
}

labelled_graph read(const std::string& bytes, std::uint64_t chunk, std::uint64_t round, unsigned cores) {
  labelled_graph l;
  on_cores(cores, [&] {
    l = by_labels(
        graph::read_edge_list(io::text_file(std::as_bytes(std::span(bytes)), "g"), tuning(chunk, round), {}));
  });
  return l;
}

std::string error_of(const std::string& bytes, std::uint64_t chunk, std::uint64_t round, unsigned cores) {
  try {
    read(bytes, chunk, round, cores);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

struct sample {
  std::string text;
  std::vector<std::pair<std::string, std::string>> edges;
};

sample random_text(std::uint64_t seed, const std::string& prefix) {
  xoshiro256 random(seed);
  sample s;
  for (int i = 0; i < 400; ++i) {
    if (bounded(random, 9) == 0) s.text += bounded(random, 2) ? "\n" : "# a comment line of some length\n";
    const auto vertex = [&] { return prefix + std::to_string(random() >> (40 + bounded(random, 24))); };
    s.edges.emplace_back(vertex(), vertex());
    s.text += s.edges.back().first + "\t" + s.edges.back().second + "\n";
  }
  return s;
}

TEST(ReadText, ChunksOfAnySizeGiveTheSameGraph) {
  const sample s = random_text(1, "");
  const labelled_graph expected = naive(s.edges, true);
  for (const std::uint64_t chunk : {1, 3, 7, 64, 1000, 100000})
    for (unsigned cores : {1U, 3U}) EXPECT_EQ(read(s.text, chunk, 0, cores), expected) << chunk;
}

TEST(ReadText, RoundsOfAnySizeGiveTheSameGraph) {
  for (const std::string prefix : {"", "name"}) {
    const sample s = random_text(2, prefix);
    const labelled_graph expected = naive(s.edges, true);
    for (const std::uint64_t round : {1, 10, 33, 500, 100000}) {
      for (unsigned cores : {1U, 3U}) {
        EXPECT_EQ(read(gzipped(s.text), 50, round, cores), expected) << round;
        EXPECT_EQ(read(zstandard(s.text), 50, round, cores), expected) << round;
      }
    }
  }
}

TEST(ReadText, ALateNameStartsAgainAsNames) {
  sample s = random_text(3, "");
  s.edges.emplace_back("7", "seven");
  s.text += "7 seven\n";
  const labelled_graph expected = naive(s.edges, true);
  EXPECT_EQ(read(s.text, 40, 0, 3), expected);
  EXPECT_EQ(read(gzipped(s.text), 40, 200, 3), expected);
}

TEST(ReadText, AnErrorBeforeTheFirstNameIsAnError) {
  sample s = random_text(4, "");
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(s.text, '\n'));
  s.text += "-1 2\n7 seven\n";
  const std::string expected = "g:" + std::to_string(lines + 1) +
                               ": expected a vertex id from 0 to 18446744073709551615, found \"-1\": "
                               "--labels reads names";
  EXPECT_EQ(error_of(s.text, 16, 0, 3), expected);
  EXPECT_EQ(error_of(gzipped(s.text), 16, 100, 3), expected);
}

TEST(ReadText, LinesAreCountedAcrossRounds) {
  sample s = random_text(5, "");
  s.text.insert(0, "# one\n\n# three\n");
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(s.text, '\n'));
  s.text += "1 2 3 4\n" + s.text;
  const std::string expected =
      "g:" + std::to_string(lines + 1) +
      ": expected two vertex ids and perhaps a weight, found \"1 2 3 4\": --columns 1,2 takes the first two";
  for (const std::uint64_t round : {5, 64, 1000, 1000000})
    EXPECT_EQ(error_of(zstandard(s.text), 20, round, 2), expected);
}

TEST(ReadText, AnErrorInALineComesBeforeTruncationBehindIt) {
  sample s = random_text(6, "");
  std::string bytes = gzipped("1 2\n3\n" + s.text);
  bytes.resize(bytes.size() - 4);
  EXPECT_EQ(error_of(bytes, 20, 64, 2), "g:2: expected two vertex ids and perhaps a weight, found \"3\"");
}

TEST(ReadText, APreambleMayBeLongerThanARound) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "# line " + std::to_string(i) + "\n";
  EXPECT_EQ(read(gzipped(text + "1 2\n"), 20, 30, 2), naive({{"1", "2"}}, true));
  EXPECT_EQ(error_of(gzipped(text), 20, 30, 2), "g is empty: expected an edge list");
}

TEST(ReadText, LooksAtALongPreambleInLinearWork) {
  const std::string text = std::string(100'000, '\n') + "1 2\n", bytes = zstandard(text);
  std::uint64_t looked_at = 0;
  on_cores(2, [&] {
    graph::text_options t = tuning(1000, 100);
    t.begin = [&](std::string_view beginning, bool whole) {
      looked_at += beginning.size();
      return graph::begin_edge_list(beginning, whole, "g", {});
    };
    EXPECT_EQ(graph::read_text(io::text_file(std::as_bytes(std::span(bytes)), "g"), t).count, 1U);
  });
  EXPECT_LE(looked_at, 4 * text.size());
}

TEST(ReadText, ACompressedByteOrderMarkIsPassedOver) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::uint64_t round : {1, 4, 1000}) {
    EXPECT_EQ(read(gzipped(mark + "1 2\n2 3\n"), 20, round, 2), naive({{"1", "2"}, {"2", "3"}}, true))
        << round;
    EXPECT_EQ(read(zstandard(mark + "\n\n# c\na b\n"), 20, round, 2), naive({{"a", "b"}}, true)) << round;
  }
}

TEST(ReadText, MemoryGrowsForALineLongerThanARound) {
  const std::string text = "1 2\n# " + std::string(5000, 'x') + "\n3 4\n";
  EXPECT_EQ(read(gzipped(text), 20, 100, 2), naive({{"1", "2"}, {"3", "4"}}, true));
}

}  // namespace
}  // namespace gossamer::test
