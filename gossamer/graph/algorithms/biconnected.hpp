#pragma once
// Biconnected components, or blocks, of an undirected graph: maximal sets of edges, any two of which lie on a
// common simple cycle. A vertex of several blocks is an articulation point: without it, its component is
// disconnected. A block of one edge is a bridge. A graph stores parallel edges once, so they count as one
// edge here.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result. Blocks and their shared vertices form a forest. The root of each tree is the smallest vertex
/// of its component. The block above a vertex is the one on the path to the root.
struct biconnected_result {
  std::vector<vertex_id> memberships;  ///< by vertex: how many blocks it belongs to
  /// By vertex: the block above it, named by its smallest vertex other than its head. k_no_vertex: the vertex
  /// is a root.
  std::vector<vertex_id> block;
  std::vector<vertex_id> head;  ///< by vertex: the vertex of the block above it that is nearest to the root
  std::vector<vertex_id>
      bridge;  ///< by vertex: its head if the edge to it is a bridge; otherwise k_no_vertex
  std::uint64_t blocks = 0;  ///< how many
  std::uint64_t articulation_points = 0;  ///< vertices of several blocks
  std::uint64_t bridges = 0;  ///< blocks of one edge
  std::uint64_t largest = 0;  ///< vertices of the largest block
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the blocks. Collective over all cores; main fiber. Throws gossamer::error for a directed graph.
/// Takes 70 bytes of memory per vertex; over several processes also 8 for each pair of trees that an edge
/// connects.
biconnected_result biconnected_components(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
