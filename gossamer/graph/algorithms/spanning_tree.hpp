#pragma once
// A minimum spanning forest of an undirected graph. Each edge has weight 1 if the graph has no weights. Edges
// of equal weight are ordered by their ends, so the forest is unique, on any number of cores and processes.

#include <cstdint>
#include <tuple>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// An edge, with the order in which a forest prefers edges.
struct weighted_edge {
  double weight = 0;  ///< of the edge
  vertex_id low = k_no_vertex;  ///< the smaller end; k_no_vertex: no edge
  vertex_id high = k_no_vertex;  ///< the larger end

  /// Returns whether a forest prefers this edge to the other.
  bool is_before(const weighted_edge& other) const {
    return std::tie(weight, low, high) < std::tie(other.weight, other.low, other.high);
  }
};

/// The result.
struct spanning_tree_result {
  std::vector<vertex_id> parent;  ///< by vertex; the smallest vertex of a tree is its own parent
  std::uint64_t edges = 0;  ///< of all trees
  std::uint64_t trees = 0;  ///< an isolated vertex is a tree
  double weight = 0;  ///< of all edges, summed in the order of the vertices
  std::uint64_t rounds = 0;  ///< until the trees were complete
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the forest. Collective over all cores; main fiber. Throws gossamer::error for a directed graph.
/// Takes 36 bytes of memory per vertex, and 60 in process 0.
spanning_tree_result minimum_spanning_tree(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
