#include "gossamer/graph/formats/write.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

void write_to(const std::string& source, const std::string& path, graph::load_options options = {},
              unsigned cores = 2) {
  on_cores(cores, [&] { graph::write(graph::load(source, options), path); });
}

TEST(WriteText, IsSortedAndSaysWhatItIs) {
  const temporary_folder folder;
  write_to(folder.plant("g", "5 3\n3 9\n3 5\n"), folder / "out.txt");
  EXPECT_EQ(content_of(folder / "out.txt"), "# directed graph: 3 vertices, 3 edges\n3\t5\n3\t9\n5\t3\n");
}

TEST(WriteText, UndirectedEdgesOnceAndLonelyVerticesCounted) {
  const temporary_folder folder;
  graph::load_options o;
  o.how = graph::direction::undirected;
  write_to(folder.plant("g", "5 3\n3 9\n7 7\n"), folder / "out.txt", o);
  EXPECT_EQ(content_of(folder / "out.txt"),
            "# undirected graph: 4 vertices, 2 edges\n# each edge is written once\n"
            "# 1 vertex without edges is not listed\n3\t5\n3\t9\n");
}

TEST(WriteText, RoundTripsThroughEveryEnding) {
  const temporary_folder folder;
  std::string names;
  for (int i = 0; i < 40000; ++i)
    names += "n" + std::to_string(i * 31 % 997) + "\t" + "é" + std::to_string(i % 1009) + "\n";
  const std::string source = folder.plant("names.txt", names);
  labelled_graph expected = load_labelled(source, 2);
  expected.duplicates = expected.self_loops = 0;
  for (const std::string ending : {"txt", "tsv.gz", "el.zst"}) {
    const std::string path = folder / ("copy." + ending);
    write_to(source, path, {}, 3);
    EXPECT_EQ(load_labelled(path, 2), expected) << ending;
  }
}

TEST(WriteText, QuotesNamesThatWouldReadAsSomethingElse) {
  const temporary_folder folder;
  graph::load_options o;
  o.vertices = graph::label_mode::names;
  write_to(folder.plant("g", "a,#b\n"), folder / "out.txt", o);
  const std::string text = content_of(folder / "out.txt");
  EXPECT_NE(text.find("\na\t\"#b\"\n"), std::string::npos) << text;
}

/// Edges between names, as a table in memory may have them: any bytes are allowed there.
using named_edges = std::vector<std::pair<std::string, std::string>>;

/// Writes a graph of named vertices, numbered in order of appearance, and reads it. Returns the error, or an
/// empty text.
std::string write_and_read(const named_edges& edges, const std::string& path, labelled_graph& read) {
  const temporary_folder folder;
  std::vector<std::string> names;
  std::string text;
  for (const auto& edge : edges) {
    for (const std::string& name : {edge.first, edge.second}) {
      const auto at = std::ranges::find(names, name) - names.begin();
      if (at == std::ssize(names)) names.push_back(name);
      text += std::to_string(at) + ' ';
    }
    text += '\n';
  }
  std::vector<std::uint64_t> offsets{0};
  std::string bytes;
  for (const std::string& name : names) offsets.push_back((bytes += name).size());
  const std::string numbers = folder.plant("numbers", text);
  try {
    on_cores(3, [&] {
      const graph::graph g = graph::load(numbers);
      graph::write(graph::graph(g.view(), graph::labels::strings(offsets, bytes, nullptr), {}, {}), path);
      read = by_labels(graph::load(path));
    });
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

/// Expects that a graph is read back unchanged, from text and from the native format.
void expect_kept(const named_edges& edges, const std::vector<std::string>& endings = {"txt", "zst", "gsg"}) {
  const temporary_folder folder;
  for (const std::string& ending : endings) {
    labelled_graph read;
    EXPECT_EQ(write_and_read(edges, folder / ("g." + ending), read), "");
    EXPECT_EQ(read, naive(edges, true)) << content_of(folder / ("g." + ending));
  }
}

/// Returns the reason why a graph is not written, and expects that no file exists then.
std::string refused(const named_edges& edges, const std::string& ending) {
  const temporary_folder folder;
  const std::string path = folder / ("g." + ending);
  labelled_graph read;
  const std::string why = write_and_read(edges, path, read);
  EXPECT_FALSE(std::filesystem::exists(path)) << content_of(path);
  return why;
}

TEST(WriteNames, AreReadBackFromEveryForm) {
  expect_kept({{"a b", "c"}, {"c", "d e"}});
  expect_kept({{"x,y", "c"}, {"c", "d;e"}});
  expect_kept({{"q\"q", "\""}, {"\"", "\"\""}});
  expect_kept({{"#x", "c"}, {"%y", "//z"}, {"c", "#x"}});
  expect_kept({{"{a", "b}"}, {"b}", "[c"}});
  expect_kept({{",a", "b,"}, {";", ","}, {",", ",a"}});
  expect_kept({{" a", "b "}, {"b ", " "}});
  expect_kept({{"1", "2"}, {"2", "x"}, {"x", "02"}});
  expect_kept({{"x", "1.5"}, {"1.5", "-3"}, {"-3", "4 5"}});
}

TEST(WriteNames, FirstEdgesThatLookLikeAHeaderStayEdges) {
  expect_kept({{"src", "dst"}, {"c", "d"}});
  expect_kept({{"from", "to"}});
  expect_kept({{"a", "b"}, {"1", "2"}, {"3", "4"}});
  expect_kept({{"1", "2"}, {"a b", "c,d"}});  // after numbers, blanks would separate
}

TEST(WriteNames, NumbersThatWouldBeOthersAreRefusedInText) {
  for (const named_edges& edges :
       {named_edges{{"1", "1e5"}, {"1e5", "3"}}, named_edges{{"1", "18446744073709551616"}}}) {
    EXPECT_NE(refused(edges, "txt").find("write .gsg"), std::string::npos) << refused(edges, "txt");
    expect_kept(edges, {"gsg"});
  }
  expect_kept({{"1", "2"}, {"18446744073709551615", "0"}});
  expect_kept({{"1", "02"}, {"02", "3"}});
  expect_kept({{"007", "8"}});
}

TEST(WriteNames, WhatNoEdgeListHoldsIsRefusedInText) {
  EXPECT_EQ(refused({{"a", ""}}, "gz").substr(0, 1), "/");
  for (const named_edges& edges :
       {named_edges{{"a", ""}}, named_edges{{"-3", "a"}}, named_edges{{"1.5", "a"}}}) {
    EXPECT_NE(refused(edges, "gz").find("would not be read back from an edge list: write .gsg"),
              std::string::npos);
    expect_kept(edges, {"gsg"});
  }
}

TEST(WriteNames, ControlCharactersAreRefusedByTheirName) {
  for (const std::string name : {"a\tb", "a\nb", "a\r", "\x7f", "\xff"})
    for (const std::string ending : {"txt", "gsg"})
      EXPECT_NE(
          refused({{"x", name}, {name, "y"}}, ending).find("expected names in UTF-8 without tabs, line ends"),
          std::string::npos);
  EXPECT_NE(refused({{"x", "a\tb"}}, "gsg").find("found \"a\\tb\""), std::string::npos);
}

TEST(WriteNames, AnyAreReadBackOrRefused) {
  const temporary_folder folder;
  const std::vector<std::string> chunks{"a",  "B",  "1", "0",  "02", "-", ".", " ",   ",",  ";",
                                        "\"", "#",  "%", "/",  "{",  "[", "é", "src", "to", "weight",
                                        "\t", "\n", "'", "\\", "|",  "e", "+", "*"};
  unsigned kept = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    splitmix64 draw(seed);
    const std::uint64_t most_chunks = 1 + draw() % 3, kinds = 2 + draw() % (chunks.size() - 2);
    const auto name = [&] {
      std::string text;
      for (std::uint64_t n = draw() % (most_chunks + 1) + (draw() % 16 != 0); n > 0; --n)
        text += chunks[draw() % kinds];
      return text;
    };
    named_edges edges;
    for (std::uint64_t n = 1 + draw() % 12; n > 0; --n) edges.emplace_back(name(), name());
    std::erase_if(
        edges, [](const auto& e) { return e.first == e.second; });  // vertices without edges are lost in text
    if (edges.empty()) continue;
    for (const std::string ending : {"txt", "gsg"}) {
      labelled_graph read, expected = naive(edges, true);
      expected.duplicates = 0;  // the writer has removed them
      const std::string path = folder / std::to_string(seed) + "." + ending;
      const std::string why = write_and_read(edges, path, read);
      read.duplicates = 0;
      if (why.empty()) {
        EXPECT_EQ(read, expected) << content_of(path);
      }
      EXPECT_EQ(why.empty(), std::filesystem::exists(path)) << why;
      kept += why.empty();
    }
  }
  EXPECT_GT(kept, 300U);  // most are written
}

TEST(WriteText, MissingFolderIsAnError) {
  const temporary_folder folder;
  EXPECT_THROW(write_to("kron:4", folder / "none/out.txt"), error);
  EXPECT_THROW(write_to("kron:4", folder / "none/out.gsg"), error);
}

}  // namespace
}  // namespace gossamer::test
