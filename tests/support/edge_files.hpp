#pragma once
// For tests of readers and writers: load a text or file on some cores and compare with a naive oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "support/graphs.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::test {

/// A graph by its labels: what survives any renumbering and any file format.
struct labelled_graph {
  bool directed = false;
  std::multiset<std::string> vertices;
  std::set<std::pair<std::string, std::string>> arcs;  // undirected: both ways
  std::uint64_t duplicates = 0, self_loops = 0;

  bool operator==(const labelled_graph&) const = default;
};

/// Reads all rows, and checks what every graph must be: sorted, no duplicates, no self-loops, `in` the
/// reverse of `out`.
inline labelled_graph by_labels(const graph::graph& g) {
  const graph::graph_view v = g.view();
  labelled_graph l;
  l.directed = v.directed;
  l.duplicates = g.statistics().duplicates;
  l.self_loops = g.statistics().self_loops;
  std::set<std::pair<std::string, std::string>> reversed;
  EXPECT_EQ(g.names().size(), v.vertices);
  EXPECT_EQ(v.out.offsets[v.vertices], v.arcs);
  EXPECT_EQ(v.in.offsets[v.vertices], v.arcs);
  for (std::uint64_t i = 0; i < v.vertices; ++i) {
    const auto id = static_cast<graph::vertex_id>(i);
    const std::string name = g.names().label(id);
    l.vertices.insert(name);
    const auto tidy = [&](auto row) {
      EXPECT_TRUE(std::ranges::is_sorted(row));
      EXPECT_TRUE(std::ranges::adjacent_find(row) == row.end());
      EXPECT_TRUE(std::ranges::find(row, id) == row.end());
    };
    tidy(v.out[id]);
    tidy(v.in[id]);
    for (const auto to : v.out[id]) l.arcs.emplace(name, g.names().label(to));
    for (const auto from : v.in[id]) reversed.emplace(g.names().label(from), name);
  }
  EXPECT_EQ(l.arcs, reversed);
  EXPECT_EQ(l.arcs.size(), v.arcs);
  return l;
}

/// Builds the oracle: puts edges one by one into sets.
inline labelled_graph naive(const std::vector<std::pair<std::string, std::string>>& edges, bool directed) {
  labelled_graph l;
  l.directed = directed;
  std::set<std::string> names;
  for (const auto& [from, to] : edges) {
    names.insert({from, to});
    if (from == to)
      ++l.self_loops;
    else if (!l.arcs.emplace(from, to).second)
      ++l.duplicates;
    else if (!directed)
      l.arcs.emplace(to, from);
  }
  l.vertices = {names.begin(), names.end()};
  return l;
}

inline labelled_graph load_labelled(const std::string& source, unsigned cores,
                                    graph::load_options options = {}) {
  labelled_graph l;
  on_cores(cores, [&] { l = by_labels(graph::load(source, options)); });
  return l;
}

/// Returns what load() says about a file; empty where nothing is wrong.
inline std::string load_error(const std::string& source, graph::load_options options = {},
                              unsigned cores = 2) {
  try {
    on_cores(cores, [&] { graph::load(source, options); });
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace gossamer::test
