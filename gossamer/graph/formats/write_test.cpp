#include "gossamer/graph/formats/write.hpp"

#include <gtest/gtest.h>

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
            "# undirected graph: 4 vertices, 2 edges\n# each edge is written once: read with --undirected\n"
            "# 1 vertices without edges are not listed\n3\t5\n3\t9\n");
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

TEST(WriteText, MissingFolderIsAnError) {
  const temporary_folder folder;
  EXPECT_THROW(write_to("kron:4", folder / "none/out.txt"), error);
  EXPECT_THROW(write_to("kron:4", folder / "none/out.gsg"), error);
}

}  // namespace
}  // namespace gossamer::test
