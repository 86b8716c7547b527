#pragma once
// Random walks. Random numbers are a function of the seed, the start of a walk, and the step, so walks are
// the same on any number of cores.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct random_walk_options {
  /// First vertices of walks; empty: every vertex. A vertex that is given n times has n times as many walks.
  std::vector<vertex_id> starts = {};
  std::uint64_t walks = 1;  ///< walks from each start
  std::uint64_t steps = 10;  ///< of each walk
  bool by_weights = false;  ///< chooses a neighbour in proportion to the weight of the arc, not uniformly
  std::uint64_t seed = 1;  ///< of the random numbers
};

/// The result.
struct random_walks_result {
  /// Walk after walk, in the order of `starts`, those of one start together: steps + 1 vertices each.
  /// k_no_vertex: the walk has ended at a vertex without outgoing arcs.
  std::vector<vertex_id> vertices;
  std::uint64_t walks = 0;  ///< of all starts
  std::uint64_t ended = 0;  ///< walks that ended before their last step
  double seconds = 0;  ///< of the algorithm alone
};

/// Draws walks along the arcs of a directed graph. Each step of all walks is a phase: the owner of a vertex
/// chooses the next one, and ships the walk there. Collective over all cores; main fiber. Takes 4 bytes of
/// memory for each vertex of a walk, and 4 in process 0; with weights 8 for each arc. With `by_weights`,
/// throws gossamer::error for a graph without weights, and for a weight that is negative, infinite or not a
/// number.
random_walks_result random_walks(const graph_view& g, const random_walk_options& options = {},
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
