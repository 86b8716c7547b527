// Loading in blocks, one per process, gives the same graph as loading in one process: the same rows, ids,
// labels, counts and errors. The tests of the program use real processes; this one has a single block.
#include <gtest/gtest.h>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/algorithms/pagerank.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/build/internal/rebuild.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

void expect_same_rows(const graph::adjacency& a, const graph::adjacency& b, std::uint64_t vertices) {
  ASSERT_TRUE(std::equal(a.offsets, a.offsets + vertices + 1, b.offsets));
  EXPECT_TRUE(std::equal(a.targets, a.targets + a.offsets[vertices], b.targets));
}

void expect_same(const graph::graph& a, const graph::graph& b) {
  const graph::graph_view x = a.view(), y = b.view();
  ASSERT_EQ(x.vertices, y.vertices);
  ASSERT_EQ(x.arcs, y.arcs);
  EXPECT_EQ(x.directed, y.directed);
  EXPECT_EQ(x.in.targets == x.out.targets, y.in.targets == y.out.targets);
  expect_same_rows(x.out, y.out, x.vertices);
  expect_same_rows(x.in, y.in, x.vertices);
  const auto& s = a.statistics();
  const auto& t = b.statistics();
  EXPECT_EQ(s.format, t.format);
  EXPECT_EQ(s.edges_read, t.edges_read);
  EXPECT_EQ(s.duplicates, t.duplicates);
  EXPECT_EQ(s.self_loops, t.self_loops);
  EXPECT_EQ(s.negative_loops, t.negative_loops);
  EXPECT_EQ(s.weights, t.weights);
  EXPECT_EQ(a.names().form(), b.names().form());
  ASSERT_EQ(a.names().size(), b.names().size());
  for (std::uint64_t v = 0; v < x.vertices; ++v) {
    const auto id = static_cast<graph::vertex_id>(v);
    ASSERT_EQ(a.names().label(id), b.names().label(id));
  }
}

void compare(const std::string& source, const graph::load_options& options = {}) {
  for (const unsigned cores : {1U, 2U, 3U}) {
    SCOPED_TRACE(source + " on " + std::to_string(cores));
    on_cores(cores, [&] { expect_same(graph::load(source, options), graph::load_shared(source, options)); });
  }
}

void compare_text(const std::string& name, const std::string& text, const graph::load_options& options = {}) {
  const temporary_folder folder;
  compare(folder.plant(name, text), options);
  compare(folder.plant(name + ".gz", gzipped(text)), options);
}

graph::load_options as(graph::direction how) {
  graph::load_options o;
  o.how = how;
  return o;
}

std::string random_text(std::uint64_t lines, std::uint64_t bound, std::uint64_t factor, const char* prefix) {
  xoshiro256 random(7);
  std::string text = "# made by a test\n";
  for (std::uint64_t i = 0; i < lines; ++i)
    text += prefix + std::to_string(random() % bound * factor) + "\t" + prefix +
            std::to_string(random() % bound * factor) + "\n";
  return text;
}

TEST(SharedLoad, MakesTheSameRandomGraphs) {
  for (const char* source : {"kron:0", "kron:5", "kron:12", "uniform:10:3", "kron:9:0"}) {
    compare(source);
    compare(source, as(graph::direction::directed));
  }
}

TEST(SharedLoad, ReadsTheSameEdgeLists) {
  for (const auto how : {graph::direction::directed, graph::direction::undirected}) {
    compare_text("small", "1 2\n2 3\n3 3\n1 2\n2 1\n", as(how));
    compare_text("one", "5 5\n", as(how));
    compare_text("gaps", random_text(20000, 3000, 7, ""), as(how));
    compare_text("scattered", random_text(20000, 3000, 1234567890123, ""), as(how));
    compare_text("names", random_text(20000, 3000, 1, "v"), as(how));
    compare_text("late_name", random_text(20000, 3000, 1, "") + "a 7\n", as(how));
    compare_text("symmetric", "1 2\n2 1\n2 3\n3 2\n", as(how));
  }
}

TEST(SharedLoad, ReadsTheSameMatrices) {
  const std::string entries = "5 5 3\n2 1 0.5\n5 1 1\n3 3 2\n";
  for (const char* kind : {"general", "symmetric"})
    for (const auto how :
         {graph::direction::by_input, graph::direction::directed, graph::direction::undirected})
      compare_text("m.mtx", std::string("%%MatrixMarket matrix coordinate real ") + kind + "\n" + entries,
                   as(how));
}

TEST(SharedLoad, OpensTheSameNativeFiles) {
  const temporary_folder folder;
  const std::string text = folder.plant("g.tsv", random_text(20000, 3000, 1, "v"));
  const std::string rows = folder / "names.gsg";
  const std::string made = folder / "kron.gsg";
  on_cores(2, [&] {
    graph::write(graph::load(text), rows);
    graph::write(graph::load("kron:11"), made);
  });
  compare(rows);
  compare(rows, as(graph::direction::undirected));
  compare(made);
  compare(made, as(graph::direction::directed));
}

TEST(SharedLoad, SortsWideKeysWhereVerticesAreMany) {
  const temporary_folder folder;
  const std::string n = std::to_string(1 << 25);
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n" + n + " " + n + " 20003\n";
  xoshiro256 random(7);
  for (int i = 0; i < 20000; ++i)
    text += std::to_string(1 + random() % (1 << 25)) + " " + std::to_string(1 + random() % 99) + "\n";
  text += n + " " + n + "\n" + n + " 1\n1 " + n + "\n";
  const std::string path = folder.plant("wide.mtx", text);
  on_cores(2, [&] {
    const graph::graph a = graph::load(path), b = graph::load_shared(path);
    ASSERT_EQ(a.view().arcs, b.view().arcs);
    expect_same_rows(a.view().out, b.view().out, a.view().vertices);
    expect_same_rows(a.view().in, b.view().in, a.view().vertices);
  });
}

TEST(SharedLoad, RebuildsTheSameGraphs) {
  on_cores(2, [] {
    expect_same(graph::rebuild(graph::load("kron:10"), false),
                graph::rebuild(graph::load_shared("kron:10"), false));
  });
}

std::string error_of(const std::string& path, bool shared) {
  std::string what;
  on_cores(3, [&] {
    try {
      shared ? graph::load_shared(path) : graph::load(path);
    } catch (const error& e) {
      what = e.what();
    }
  });
  return what;
}

TEST(SharedLoad, TellsTheSameErrors) {
  const temporary_folder folder;
  const std::string good = random_text(20000, 3000, 1, "");
  int number = 0;
  for (const std::string& text :
       {std::string("1 2\n3\n"), good + "7 8 x\n" + good, good + "1 2\nonly\n", std::string("# nothing\n"),
        std::string("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n"),
        std::string("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 9\n")}) {
    for (const bool packed : {false, true}) {
      const std::string path = folder.plant("bad" + std::to_string(number++), packed ? gzipped(text) : text);
      EXPECT_NE(error_of(path, false), "");
      EXPECT_EQ(error_of(path, true), error_of(path, false));
    }
  }
}

TEST(SharedLoad, AlgorithmsWorkOnIt) {
  for (const unsigned cores : {1U, 3U}) {
    on_cores(cores, [] {
      const graph::graph g = graph::load_shared("kron:11:4");
      graph::bfs search(g.view());
      const auto found = search.run(3);
      EXPECT_EQ(graph::verify_bfs(g.view(), found, search.parents()).reason, "");
      EXPECT_EQ(graph::verify_components(g.view(), graph::connected_components(g.view())).reason, "");
      EXPECT_EQ(graph::verify_pagerank(g.view(), {}, graph::pagerank(g.view())).reason, "");
      EXPECT_EQ(graph::degrees(g.view()).out.histogram,
                graph::degrees(graph::load("kron:11:4").view()).out.histogram);
    });
  }
}

TEST(SharedLoad, WritesTheSameFiles) {
  const temporary_folder folder;
  const std::string text = folder.plant("g.tsv", random_text(20000, 3000, 1, "v"));
  on_cores(3, [&] {
    for (const std::string& source : {text, std::string("kron:11")}) {
      for (const char* name : {"rows.gsg", "rows.tsv", "rows.gz"}) {
        graph::write(graph::load(source), folder / (std::string("one_") + name));
        graph::write(graph::load_shared(source), folder / (std::string("shared_") + name));
        EXPECT_EQ(content_of(folder / (std::string("one_") + name)),
                  content_of(folder / (std::string("shared_") + name)))
            << source << " as " << name;
      }
      EXPECT_EQ(graph::random_sources(graph::load(source).view(), 20, 3),
                graph::random_sources(graph::load_shared(source).view(), 20, 3));
    }
  });
}

}  // namespace
}  // namespace gossamer::test
