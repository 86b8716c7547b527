// The meaning of files: every format, every kind of line, compressed and not.
#include "gossamer/graph/formats/load.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "gossamer/base/random.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::test {
namespace {

using graph::direction;
using graph::label_mode;

labelled_graph load_text(const std::string& text, graph::load_options options = {}, unsigned cores = 2) {
  const temporary_folder folder;
  return load_labelled(folder.plant("graph.txt", text), cores, options);
}

labelled_graph arcs(std::vector<std::pair<std::string, std::string>> edges) { return naive(edges, true); }

TEST(EdgeList, ReadsPlainIntegerPairs) {
  EXPECT_EQ(load_text("0 1\n1 2\n2 0\n"), arcs({{"0", "1"}, {"1", "2"}, {"2", "0"}}));
}

TEST(EdgeList, VerticesAreTheIdsThatAppear) {
  on_cores(2, [] {
    const temporary_folder folder;
    const auto g = graph::load(folder.plant("g", "30 10\n10 500\n"));
    ASSERT_EQ(g.view().vertices, 3U);
    EXPECT_EQ(g.names().label(0), "10");
    EXPECT_EQ(g.names().label(1), "30");
    EXPECT_EQ(g.names().label(2), "500");
    EXPECT_EQ(g.names().find("30"), 1U);
    EXPECT_EQ(g.names().form(), graph::labels::kind::integers);
  });
}

TEST(EdgeList, ReadingIsNotCompleteWhileAnythingIsStillToRead) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "a" + std::to_string(i) + " b" + std::to_string(i % 1000) + "\n";
  on_cores(2, [&] {
    const temporary_folder folder;
    std::vector<std::string> phases;
    graph::load_options options;
    options.progress = [&](const char* phase, std::uint64_t done, std::uint64_t total) {
      if (phases.empty() || phases.back() != phase) {
        phases.emplace_back(phase);
        if (phases.back() == "building") {
          EXPECT_EQ(total, 0U) << "names are looked up first: no block is known";
        }
      }
      if (phases.back() == "reading") {
        EXPECT_LT(done, total);
      }
    };
    (void)graph::load(folder.plant("g", text), options);
    EXPECT_EQ(phases.back(), "building");
  });
}

TEST(EdgeList, DenseIdsNeedNoLabels) {
  on_cores(2, [] {
    const temporary_folder folder;
    const auto g = graph::load(folder.plant("g", "2 1\n0 1\n"));
    EXPECT_EQ(g.names().form(), graph::labels::kind::range);
    EXPECT_EQ(g.names().memory_bytes(), 0U);
    EXPECT_EQ(g.memory_bytes(), 2 * (4 * 8 + 2 * sizeof(graph::vertex_id)));
  });
}

TEST(EdgeList, SkipsCommentsAndBlankLinesAnywhere) {
  EXPECT_EQ(load_text("# snap\n%other\n// more\n\n1 2\n  \n# 9 9\n3\t4\n%\n"),
            arcs({{"1", "2"}, {"3", "4"}}));
}

TEST(EdgeList, AcceptsCarriageReturnsAndNoFinalNewline) {
  EXPECT_EQ(load_text("1 2\r\n2 3\r\n\r\n3 4"), arcs({{"1", "2"}, {"2", "3"}, {"3", "4"}}));
}

TEST(EdgeList, AcceptsAByteOrderMark) {
  EXPECT_EQ(load_text("\xef\xbb\xbf"
                      "1 2\n"),
            arcs({{"1", "2"}}));
}

TEST(EdgeList, AcceptsManyBlanksAndTabs) {
  EXPECT_EQ(load_text("  1 \t 2  \n3\t\t4\n5 6\n"), arcs({{"1", "2"}, {"3", "4"}, {"5", "6"}}));
}

TEST(EdgeList, AcceptsCommas) {
  EXPECT_EQ(load_text("1,2\n3, 4\n5,6\n"), arcs({{"1", "2"}, {"3", "4"}, {"5", "6"}}));
  EXPECT_EQ(load_text("1,2,7\n3, 4, 0.5\n"), arcs({{"1", "2"}, {"3", "4"}}));
}

TEST(EdgeList, SkipsAHeaderWhenAsked) {
  graph::load_options o;
  o.table.header = graph::header_mode::present;
  EXPECT_EQ(load_text("# comment\nfrom,to\n1,2\n", o), arcs({{"1", "2"}}));
  EXPECT_EQ(load_text("from to what ever else\n1 2\n", o), arcs({{"1", "2"}}));
}

TEST(EdgeList, ChecksAndCountsWeights) {
  const temporary_folder folder;
  on_cores(2, [&] {
    const auto g = graph::load(
        folder.plant("g", "1 2 3\n2 3 -0.5e+3\n3 4 0\n4 5 .5\n5 6 1.\n6 7 +2E9\n7 8 12345678901.25\n"));
    EXPECT_EQ(g.statistics().weights, 7U);
    EXPECT_EQ(g.statistics().edges_read, 7U);
    EXPECT_EQ(g.view().arcs, 7U);
  });
}

TEST(EdgeList, RemovesAndCountsDuplicatesAndSelfLoops) {
  const labelled_graph g = load_text("1 2\n2 1\n1 2\n3 3\n3 3\n");
  EXPECT_EQ(g.duplicates, 1U);
  EXPECT_EQ(g.self_loops, 2U);
  EXPECT_EQ(g.vertices.size(), 3U);
  EXPECT_EQ(g, naive({{"1", "2"}, {"2", "1"}, {"1", "2"}, {"3", "3"}, {"3", "3"}}, true));
}

TEST(EdgeList, UndirectedReadsEveryEdgeBothWays) {
  graph::load_options o;
  o.how = direction::undirected;
  const labelled_graph g = load_text("1 2\n2 1\n2 3\n", o);
  EXPECT_EQ(g, naive({{"1", "2"}, {"2", "1"}, {"2", "3"}}, false));
  EXPECT_EQ(g.duplicates, 1U);
}

TEST(EdgeList, OnlySelfLoopsIsAGraphWithoutEdges) {
  EXPECT_EQ(load_text("7 7\n9 9\n"), naive({{"7", "7"}, {"9", "9"}}, true));
}

TEST(EdgeList, ReadsIdsOfAnyLengthTo64Bits) {
  std::vector<std::pair<std::string, std::string>> edges;
  std::string text, digits;
  for (int length = 1; length <= 19; ++length) {
    digits += static_cast<char>('0' + length % 10);
    edges.emplace_back(digits, std::to_string(length));
    text += digits + " " + std::to_string(length) + "\n";
  }
  edges.emplace_back("18446744073709551615", "0");
  text += "18446744073709551615\t0\n18446744073709551615 0\n";
  edges.push_back(edges.back());
  for (unsigned cores : {1U, 3U}) EXPECT_EQ(load_text(text, {}, cores), arcs(edges));
  text.insert(0, 3000, '\n');  // long enough for the fast path
  text.append(3000, '\n');
  EXPECT_EQ(load_text(text), arcs(edges));
}

TEST(EdgeList, LeadingZerosAreKeptUnlessIntegersAreAskedFor) {
  const labelled_graph names = arcs({{"007", "1"}, {"7", "1"}, {"0", "00"}});
  EXPECT_EQ(load_text("007 1\n7 1\n0 00\n"), names);
  std::string many = "7 1\n0 0\n";
  for (int i = 0; i < 100; ++i) many += "7 1\n";  // enough for the fast scan
  EXPECT_EQ(load_text(many + "007 1\n" + many).vertices, (std::multiset<std::string>{"0", "007", "1", "7"}));
  graph::load_options o;
  o.vertices = graph::label_mode::integers;
  EXPECT_EQ(load_text("007 1\n7 1\n0 00\n", o), arcs({{"7", "1"}, {"7", "1"}, {"0", "0"}}));
}

TEST(Names, AnyVertexThatIsNoIntegerMakesAllNames) {
  EXPECT_EQ(load_text("1 2\n2 three\n007 1\n"), arcs({{"1", "2"}, {"2", "three"}, {"007", "1"}}));
}

TEST(Names, AreNumberedInOrderOfFirstAppearance) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += "n" + std::to_string(i * 7 % 3001) + " m" + std::to_string(i % 2003) + "\n";
  const temporary_folder folder;
  const std::string path = folder.plant("g", text);
  for (unsigned cores : {1U, 2U, 8U}) {
    on_cores(cores, [&] {
      const auto g = graph::load(path);
      ASSERT_EQ(g.view().vertices, 5004U);
      EXPECT_EQ(g.names().label(0), "n0");
      EXPECT_EQ(g.names().label(1), "m0");
      EXPECT_EQ(g.names().label(2), "n7");
      EXPECT_EQ(g.names().label(3), "m1");
      EXPECT_EQ(g.names().label(5003), "n2994");
    });
  }
}

TEST(Names, AskedForTakesEverything) {
  graph::load_options o;
  o.vertices = label_mode::names;
  EXPECT_EQ(load_text("-3 007\n99999999999999999999 7\n", o),
            arcs({{"-3", "007"}, {"99999999999999999999", "7"}}));
  EXPECT_EQ(load_text("New York\tSan Jose, CA\t3\n", o), arcs({{"New York", "San Jose, CA"}}));
  EXPECT_EQ(load_text("New York, Boston\n", o), arcs({{"New York", "Boston"}}));
}

TEST(Names, MayBeUtf8) {
  EXPECT_EQ(load_text("Zürich Genève\n東京 Zürich\n"), arcs({{"Zürich", "Genève"}, {"東京", "Zürich"}}));
}

TEST(Compressed, GzipAndZstdReadLikePlain) {
  std::string text = "# c\n";
  std::vector<std::pair<std::string, std::string>> edges;
  xoshiro256 random(5);
  for (int i = 0; i < 30000 / static_cast<int>(k_fewer); ++i) {
    edges.emplace_back(std::to_string(bounded(random, 500)), std::to_string(bounded(random, 500)));
    text += edges.back().first + "\t" + edges.back().second + "\n";
  }
  const labelled_graph expected = arcs(edges);
  for (unsigned cores : {1U, 3U}) {
    EXPECT_EQ(load_text(gzipped(text), {}, cores), expected);
    EXPECT_EQ(load_text(zstandard(text), {}, cores), expected);
    EXPECT_EQ(load_text(bzipped(text), {}, cores), expected);
    EXPECT_EQ(load_text(xzipped(text), {}, cores), expected);
  }
  const std::size_t middle = text.size() / 2;  // in the middle of a line
  EXPECT_EQ(load_text(gzipped(text.substr(0, middle)) + gzipped(text.substr(middle))), expected);
  EXPECT_EQ(load_text(zstandard(text.substr(0, middle)) + zstandard(text.substr(middle))), expected);
  EXPECT_EQ(load_text(bzipped(text.substr(0, middle)) + bzipped(text.substr(middle))), expected);
  EXPECT_EQ(load_text(xzipped(text.substr(0, middle)) + xzipped(text.substr(middle))), expected);
}

TEST(MatrixMarket, GeneralPatternIsDirected) {
  EXPECT_EQ(load_text("%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 3\n1 2\n2 3\n1 2\n"),
            naive({{"1", "2"}, {"2", "3"}, {"1", "2"}}, true));
}

TEST(MatrixMarket, SymmetricIsUndirectedUnlessAsked) {
  const std::string text =
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1.5\n3 1 -2e3\n3 3 0\n";
  EXPECT_EQ(load_text(text), naive({{"2", "1"}, {"3", "1"}, {"3", "3"}}, false));
  graph::load_options o;
  o.how = direction::directed;
  const labelled_graph g = load_text(text, o);
  EXPECT_TRUE(g.directed);
  EXPECT_EQ(g.arcs.size(), 4U);
}

TEST(MatrixMarket, VerticesAreAllRowsAndThenAllColumnsWhereItIsNotSquare) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  EXPECT_EQ(load_text(banner + "3 3 1\n1 2 7\n").vertices, (std::multiset<std::string>{"1", "2", "3"}));
  const labelled_graph wide = load_text(banner + "2 3 2\n1 1 7\n2 3 7\n");
  EXPECT_EQ(wide.vertices, (std::multiset<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(wide.arcs, (std::set<std::pair<std::string, std::string>>{{"1", "3"}, {"2", "5"}}));
  EXPECT_EQ(load_text(banner + "3 1 1\n1 1 7\n").arcs,
            (std::set<std::pair<std::string, std::string>>{{"1", "4"}}));
}

TEST(MatrixMarket, ReadsUnsignedIntegersOfSciPy) {
  EXPECT_EQ(load_text("%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 4294967295\n"),
            arcs({{"1", "2"}}));
}

TEST(MatrixMarket, ReadsComplexAndHermitianAndSkew) {
  EXPECT_EQ(load_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 -1\n").arcs.size(),
            2U);
  EXPECT_EQ(load_text("%%matrixmarket MATRIX Coordinate Real Skew-Symmetric\n2 2 1\n2 1 1\n").arcs.size(),
            2U);
}

TEST(MatrixMarket, WithoutEntriesIsAGraphOfVertices) {
  EXPECT_EQ(load_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n").vertices.size(), 3U);
}

TEST(MatrixMarket, MayBeginWithAByteOrderMark) {
  const std::string text = "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
  EXPECT_EQ(load_text(text), arcs({{"1", "2"}, {"2", "3"}}));
  EXPECT_EQ(load_text(gzipped(text)), arcs({{"1", "2"}, {"2", "3"}}));
}

TEST(MatrixMarket, MayBeCompressed) {
  EXPECT_EQ(
      load_text(gzipped("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")).arcs.size(),
      2U);
}

// GAP: flag, arcs, vertices, offsets, ids; unaligned.
std::string serialized(bool directed, const std::vector<std::vector<std::uint32_t>>& rows,
                       const std::vector<std::vector<std::uint32_t>>& in_rows = {}) {
  std::string bytes(1, directed ? '\1' : '\0');
  const auto put = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  std::int64_t arcs_total = 0;
  for (const auto& r : rows) arcs_total += static_cast<std::int64_t>(r.size());
  put(arcs_total);
  put(static_cast<std::int64_t>(rows.size()));
  const auto put_rows = [&](const auto& all) {
    std::int64_t at = 0;
    for (const auto& r : all) {
      put(at);
      at += static_cast<std::int64_t>(r.size());
    }
    put(at);
    for (const auto& r : all)
      for (const std::uint32_t id : r) put(id);
  };
  put_rows(rows);
  if (directed) put_rows(in_rows);
  return bytes;
}

TEST(Serialized, UndirectedRowsAreTaken) {
  EXPECT_EQ(load_text(serialized(false, {{1, 2}, {0}, {0}})), naive({{"0", "1"}, {"0", "2"}}, false));
}

TEST(Serialized, DirectedHasBothDirections) {
  EXPECT_EQ(load_text(serialized(true, {{1, 2}, {2}, {}}, {{}, {0}, {0, 1}})),
            naive({{"0", "1"}, {"0", "2"}, {"1", "2"}}, true));
}

TEST(Serialized, UntidyRowsAreBuiltAnew) {
  const labelled_graph g = load_text(serialized(true, {{2, 1, 1, 0}, {2}, {}}, {{0}, {0, 0}, {0, 1}}));
  EXPECT_EQ(g, naive({{"0", "2"}, {"0", "1"}, {"0", "1"}, {"0", "0"}, {"1", "2"}}, true));
}

// An arc that only one of its rows holds would be seen by some questions and not by others.
TEST(Serialized, RowsThatDisagreeAreRefused) {
  const std::string wrong[] = {serialized(false, {{1, 2}, {0}, {}}),
                               serialized(false, {{1}, {2}, {0}}),
                               serialized(false, {{1, 4}, {}, {0}, {0}, {}}),
                               serialized(false, {{1}, {0, 0}, {}}),
                               serialized(true, {{1, 2}, {2}, {}}, {{}, {0}, {0, 0}}),
                               serialized(true, {{1, 2}, {2}, {}}, {{1}, {2}, {0}})};
  const temporary_folder folder;
  for (const std::string& bytes : wrong) {
    const std::string path = folder.plant("g.sg", bytes);
    const std::string expected =
        path + (bytes[0] != 0 ? ": damaged: expected the same arcs by source and by target, found others"
                              : ": damaged: expected each edge of an undirected graph in both rows, found "
                                "others");
    on_cores(2, [&] {
      for (const auto load : {graph::load, graph::load_shared}) try {
          (void)load(path, {});
          ADD_FAILURE() << path << " was read";
        } catch (const error& e) {
          EXPECT_EQ(e.what(), expected);
        }
    });
  }
}

TEST(Serialized, DirectedReadAsUndirected) {
  graph::load_options o;
  o.how = direction::undirected;
  EXPECT_EQ(load_text(serialized(true, {{1}, {0, 2}, {}}, {{1}, {0}, {1}}), o),
            naive({{"0", "1"}, {"1", "0"}, {"1", "2"}}, false));
}

TEST(RandomFiles, AgreeWithTheNaiveReaderOnAnyNumberOfCores) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    xoshiro256 random(seed);
    const char separator = " \t,"[seed % 3];
    const bool names = seed % 4 == 3, windows = seed % 5 == 0, wide = seed % 7 == 0, weights = seed % 8 < 4;
    const std::uint64_t vertices = 1 + bounded(random, 200), lines = 1 + bounded(random, 3000);
    std::vector<std::pair<std::string, std::string>> edges;
    std::string text;
    const auto vertex = [&] {
      std::uint64_t id = bounded(random, vertices);
      if (wide && id % 3 == 0) id = hash64(id);
      return (names && id % 2 ? "v" : "") + std::to_string(id);
    };
    for (std::uint64_t i = 0; i < lines; ++i) {
      if (bounded(random, 50) == 0) text += bounded(random, 2) ? "# 1 2 3 4\n" : "\n";
      edges.emplace_back(vertex(), vertex());
      text += edges.back().first + separator + edges.back().second;
      if (weights)
        text += separator + std::to_string(bounded(random, 100)) + (bounded(random, 2) ? ".5" : "");
      text += windows ? "\r\n" : "\n";
    }
    if (seed % 2) text.pop_back();
    graph::load_options o;
    o.how = seed % 2 ? direction::undirected : direction::directed;
    const labelled_graph expected = naive(edges, !(seed % 2));
    for (unsigned cores : {1U, 2U, 3U, 8U})
      EXPECT_EQ(load_text(text, o, cores), expected) << cores << " cores";
  }
}

TEST(EstimateMemory, IsNearTheGraphForGeneratorsAndText) {
  const graph::memory_estimate kron = graph::estimate_memory("kron:10");
  EXPECT_GE(kron.peak_bytes, kron.graph_bytes);
  EXPECT_GT(kron.graph_bytes, (std::uint64_t{16} << 10) * 8);
  const temporary_folder folder;
  std::string text;
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  EXPECT_GT(graph::estimate_memory(folder.plant("g", text)).graph_bytes, 10000U * 8);
}

}  // namespace
}  // namespace gossamer::test
