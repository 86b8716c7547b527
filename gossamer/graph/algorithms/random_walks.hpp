#pragma once
// Random walks: from a vertex to one of its neighbours, and on from there. Draws follow from the seed, the vertex where a walk starts, and the
// step, so walks are the same on any number of cores.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Which walks are drawn.
struct random_walk_options {
  std::vector<vertex_id> starts = {};  ///< where walks start; empty: every vertex
  std::uint64_t walks = 1;  ///< from each of them
  std::uint64_t steps = 10;  ///< of each walk
  bool by_weights = false;  ///< a neighbour is drawn by the weight of the arc, not uniformly
  std::uint64_t seed = 1;  ///< of the draws
};

/// What was drawn.
struct random_walks_result {
  /// Walk after walk, in the order of `starts`, those of one vertex together: steps + 1 vertices each. k_no_vertex: the walk ended before, where
  /// no arc led on.
  std::vector<vertex_id> vertices;
  std::uint64_t walks = 0;  ///< of all starts
  std::uint64_t ended = 0;  ///< before their last step
  double seconds = 0;  ///< of the algorithm alone
};

/// Draws walks along the arcs of a directed graph. Each step of all walks is a phase: the owner of a vertex draws the next one, and ships the
/// walk there. Collective over all cores; main fiber. Takes 4 bytes of memory for each vertex of a walk, and 4 in process 0; by weights
/// 8 for each arc. Throws gossamer::error for a weight that is no length where weights are asked for, and for a graph that has none then.
random_walks_result random_walks(const graph_view& g, const random_walk_options& options = {},
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
