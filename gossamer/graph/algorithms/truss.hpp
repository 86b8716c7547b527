#pragma once
// Truss numbers of undirected graphs. The truss number of an edge is the largest k such that the edge belongs
// to a subgraph in which every edge is in at least k - 2 triangles. An edge in no triangle has 2 [J. Cohen,
// "Trusses: Cohesive Subgraphs for Social Network Analysis", 2008].

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result.
struct truss_result {
  std::vector<vertex_id> truss;  ///< by vertex: the largest truss number of its edges; 0 if it has none
  /// By edge: its truss number. Edges are ordered by their smaller ends, then by their larger ends.
  std::vector<vertex_id> edges;
  vertex_id largest = 0;  ///< the largest truss number
  std::uint64_t innermost = 0;  ///< edges with the largest truss number
  std::uint64_t levels = 0;  ///< distinct truss numbers
  double seconds = 0;  ///< of the algorithm alone
};

/// Computes truss numbers. Collective over all cores; main fiber. Throws gossamer::error for a directed
/// graph. Takes 20 bytes of memory per edge and 16 per vertex; over processes each takes 12 per edge and 16
/// per vertex of the whole graph.
truss_result truss_numbers(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
