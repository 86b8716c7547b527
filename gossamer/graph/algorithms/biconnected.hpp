#pragma once
// Biconnected components, or blocks, of an undirected graph: the largest sets of edges of which any two lie on a common simple cycle. A
// vertex of several blocks is an articulation point, without which its component falls apart. A block of one edge is a bridge. The rows of
// a graph hold an edge once, so one that was given twice is a bridge all the same.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What was found. Blocks and the vertices that they share are a forest, each tree rooted at the smallest vertex of its component: the block
/// above a vertex is the one that leads there.
struct biconnected_result {
  std::vector<vertex_id> memberships;  ///< by vertex: how many blocks it belongs to
  /// By vertex: the block above it, named by the smallest of its vertices but the head. k_no_vertex: the vertex is a root.
  std::vector<vertex_id> block;
  std::vector<vertex_id> head;  ///< by vertex: the vertex of the block above it that is nearest to the root
  std::vector<vertex_id>
      bridge;  ///< by vertex: its head, where the edge there is a bridge; otherwise k_no_vertex
  std::uint64_t blocks = 0;  ///< how many
  std::uint64_t articulation_points = 0;  ///< vertices of several blocks
  std::uint64_t bridges = 0;  ///< blocks of one edge
  std::uint64_t largest = 0;  ///< vertices of the largest block
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the blocks. Collective over all cores; main fiber. Throws gossamer::error for a directed graph. Takes 70 bytes of memory per vertex,
/// and over processes 8 for each pair of trees that an edge between two of them joins.
biconnected_result biconnected_components(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
