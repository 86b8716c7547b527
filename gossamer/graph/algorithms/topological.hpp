#pragma once
// An order of the vertices of a directed graph in which every arc leads to a later one; or a cycle, where there is none.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What was computed.
struct topological_result {
  /// By vertex: the arcs of the longest path that ends there. k_no_vertex: a cycle leads there, or goes through it.
  std::vector<vertex_id> level;
  std::vector<vertex_id>
      position;  ///< by vertex, in the order: by level, then by number. k_no_vertex as above
  std::uint64_t levels = 0;  ///< different ones
  std::uint64_t ordered = 0;  ///< vertices that have one
  std::vector<vertex_id> cycle;  ///< vertices of one, along its arcs, where there is any
  double seconds = 0;  ///< of the algorithm alone
};

/// Orders the vertices. Collective over all cores; main fiber. Throws gossamer::error for an undirected graph. Takes 8 bytes of memory per
/// vertex, and 12 in process 0. Self-loops are no part of a graph here: graph_statistics counts them.
topological_result topological_order(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
