#pragma once
// A spanning forest of the least weight of an undirected graph: a tree for each connected component. Each edge counts 1 where there are no
// weights. Edges of equal weight come in the order of their ends, so there is one such forest, on any number of cores and processes.

#include <cstdint>
#include <tuple>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// An edge, in the order in which a forest prefers edges.
struct weighted_edge {
  double weight = 0;  ///< of the edge
  vertex_id low = k_no_vertex;  ///< the smaller end; k_no_vertex: no edge
  vertex_id high = k_no_vertex;  ///< the larger end

  /// Returns whether a forest prefers this edge.
  bool is_before(const weighted_edge& other) const {
    return std::tie(weight, low, high) < std::tie(other.weight, other.low, other.high);
  }
};

/// What was computed.
struct spanning_tree_result {
  std::vector<vertex_id> parent;  ///< by vertex; the smallest vertex of a tree is its own
  std::uint64_t edges = 0;  ///< of all trees
  std::uint64_t trees = 0;  ///< a vertex without edges is one
  double weight = 0;  ///< of all edges, added by the order of the vertices
  std::uint64_t rounds = 0;  ///< until the trees were whole
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the forest. Collective over all cores; main fiber. Throws gossamer::error for a directed graph. Takes 36 bytes of memory per
/// vertex, and 60 in process 0.
spanning_tree_result minimum_spanning_tree(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
