#pragma once
// A topological order of a directed graph, or a cycle if there is one.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result.
struct topological_result {
  /// By vertex: the number of arcs of the longest path that ends there. k_no_vertex: the vertex is on a
  /// cycle, or reachable from one.
  std::vector<vertex_id> level;
  std::vector<vertex_id>
      position;  ///< by vertex: position in the order, by level, then by number. k_no_vertex as above
  std::uint64_t levels = 0;  ///< distinct levels
  std::uint64_t ordered = 0;  ///< vertices with a position
  std::vector<vertex_id> cycle;  ///< vertices of one cycle, along its arcs, if there is any
  double seconds = 0;  ///< of the algorithm alone
};

/// Orders the vertices. Collective over all cores; main fiber. Throws gossamer::error for an undirected
/// graph. Takes 8 bytes of memory per vertex, and 12 in process 0. A graph stores no self-loops:
/// graph_statistics counts them.
topological_result topological_order(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
