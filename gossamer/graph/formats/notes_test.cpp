// The declarations in a text, and the notes about it: the same for one process and for several.
#include <gtest/gtest.h>

#include "gossamer/graph/formats/load.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

struct told {
  labelled_graph graph;
  std::vector<std::string> notes;
  std::uint64_t comments = 0;

  bool operator==(const told&) const = default;
};

/// Reads a text as one process and as several, and expects the same results.
told read(const std::string& text, const graph::table_options& table = {}, unsigned cores = 2) {
  const temporary_folder folder;
  const std::string path = folder.plant("g.txt", text);
  told alone, shared;
  on_cores(cores, [&] {
    const auto describe = [](const graph::graph& g) {
      return told{by_labels(g), g.statistics().notes, g.statistics().comments};
    };
    alone = describe(graph::load(path, {.table = table}));
    shared = describe(graph::load_shared(path, {.table = table}));
  });
  EXPECT_EQ(alone, shared) << text;
  return alone;
}

std::string numbered(std::uint64_t first, std::uint64_t last) {
  std::string text;
  for (; first < last; ++first)
    text += std::to_string(first) + "\t" + std::to_string(first * 7 % 1000) + "\n";
  return text;
}

TEST(Notes, CommentsBehindTheFirstEdgeAreCountedInEveryChunk) {
  const std::string text = "# top\n" + numbered(1, 20000) + "# middle\n" + numbered(20000, 40000) + "#end\n";
  for (const unsigned cores : {1U, 3U}) {
    const told t = read(text, {}, cores);
    EXPECT_EQ(t.comments, 3U);
    EXPECT_EQ(t.notes, std::vector<std::string>{
                           "2 lines behind the first edge are comments: --no-comments reads them"});
  }
}

TEST(Notes, AMarkerBeforeANameIsNoCommentBehindTheFirstEdge) {
  const told t = read("ann bob\n#cy ann\n# cy\n%d //e\n//e #cy\n");
  EXPECT_EQ(t.graph, naive({{"ann", "bob"}, {"#cy", "ann"}, {"%d", "//e"}, {"//e", "#cy"}}, true));
  EXPECT_EQ(t.comments, 1U);
}

TEST(Notes, AZeroFarBehindMakesNames) {
  const told t = read(numbered(1, 30000) + "07 7\n");
  EXPECT_EQ(t.graph.vertices.count("07"), 1U);
  EXPECT_EQ(t.notes,
            std::vector<std::string>{
                "ids that begin with a zero keep it: vertices are names; --no-labels reads integers"});
}

TEST(Notes, WholeNumbersAndMissingVerticesAreCounted) {
  const told t = read("1 1e+05\n100000 2.0\nNA 3\n3 4\n", {.nulls = {"NA"}});
  EXPECT_EQ(t.graph, naive({{"1", "100000"}, {"100000", "2"}, {"3", "4"}}, true));
  EXPECT_EQ(t.notes,
            (std::vector<std::string>{
                "2 edges have ids such as 1e+05 or 7.0, read as integers: --labels keeps them as names",
                "1 edge without a vertex is left out, as --null says"}));
}

TEST(Notes, WholeNumbersAreExactToTheLargestId) {
  EXPECT_EQ(read("1 1.8446744073709551615e19\n2 1.0e0\n").graph,
            naive({{"1", "18446744073709551615"}, {"2", "1"}}, true));
  EXPECT_EQ(read("1 1200e-2\n").graph, naive({{"1", "12"}}, true));
  for (const std::string id : {"1.8446744073709551616e19", "12.5e0", "1.5", "0.5"})
    EXPECT_THROW(read("1 " + id + "\n"), error) << id;
  EXPECT_EQ(read("1 2e400\n").graph, naive({{"1", "2e400"}}, true));  // hexadecimal, say
}

TEST(Notes, TargetsOfABipartiteTextAreVerticesOfTheirOwn) {
  const told t = read("% bip unweighted\n% 4 3000000000 5\n1 1\n3000000000 2\n2 1\n2000000000 5\n");
  EXPECT_EQ(t.graph, naive({{"1", "3000000001"},
                            {"3000000000", "3000000002"},
                            {"2", "3000000001"},
                            {"2000000000", "3000000005"}},
                           false));
  const told wide = read("% bip weighted\n% 2 4294967290 9\n4294967290 1 .5\n1 9 .5\n");
  EXPECT_EQ(wide.graph, naive({{"4294967290", "4294967291"}, {"1", "4294967299"}}, false));
  EXPECT_THROW(read("% bip unweighted\n% 2 2 4\n1 18446744073709551615\n2 3\n"), error);
}

TEST(Notes, AHeaderThatWasNotFoundOccursNowhereElse) {
  EXPECT_EQ(read("Person A,Person B\nann,bob\nbob,cy\n").notes.size(), 1U);
  EXPECT_EQ(read("ann,bob\nbob,cy\ncy,dee\n").notes.size(), 0U);
  EXPECT_EQ(read("ann,bob\ncy,dee\ndee,ann\n").notes.size(), 0U);
  EXPECT_EQ(
      read("# directed graph: 5 vertices, 3 edges\nPerson A\tPerson B\nann\tbob\nbob\tcy\n").notes.size(),
      0U);
  EXPECT_EQ(read("Person A,Person B\nann,bob\nbob,cy\n", {.header = graph::header_mode::absent}).notes.size(),
            0U);
}

TEST(VertexList, LinesOfTwoBytesFillNoMoreThanTheirRoom) {
  const temporary_folder folder;
  std::string list;
  for (int i = 0; i < 300'000; ++i) list += std::to_string(i % 10) + "\n";
  EXPECT_EQ(read("1 2\n", {.vertices = folder.plant("g.v", list)}).graph.vertices.size(), 10U);
}

TEST(VertexList, AFirstLineAboveIntegersIsAHeaderUnlessVerticesAreNames) {
  const temporary_folder folder;
  const std::string path = folder.plant("g.v", "ann\n3\n");
  const told ids = read("1 2\n", {.vertices = path});
  EXPECT_EQ(ids.graph.vertices, (std::multiset<std::string>{"1", "2", "3"}));
  EXPECT_EQ(ids.notes,
            std::vector<std::string>{"the first line of --vertices is taken for a header: \"ann\""});
  EXPECT_EQ(read("bob 2\n", {.vertices = path}).graph.vertices,
            (std::multiset<std::string>{"2", "3", "ann", "bob"}));
}

TEST(VertexList, IsReadAlikeByOneProcessAndByTheWayOfSeveral) {
  const temporary_folder folder;
  for (const std::string list : {"3\n40000\n40001\n", "18446744073709551615\n5\n", "x\ny\n", "03\n3\n"}) {
    const std::string path = folder.plant("g.v", list);
    const told t = read(numbered(1, 3000), {.vertices = path});
    EXPECT_EQ(t.graph.self_loops, read(numbered(1, 3000)).graph.self_loops);
    for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1)
      EXPECT_EQ(t.graph.vertices.count(list.substr(at, list.find('\n', at) - at)), 1U) << list;
  }
}

}  // namespace
}  // namespace gossamer::test
