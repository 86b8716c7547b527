#pragma once
// Strongly connected components by one serial, non-recursive depth-first search [D. J. Pearce, "A
// space-efficient algorithm for finding strongly connected components", Information Processing Letters 2016].
// In strong.cpp, process 0 searches the remaining vertices with it.

#include <cstdint>
#include <span>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The state of a vertex in strong.cpp.
struct strong_state {
  vertex_id component;  ///< a vertex of its component; k_no_vertex until it is known
  /// By step: number of remaining incoming arcs; whether a search has reached it; its colour; its number in a
  /// serial search.
  vertex_id mark;
  vertex_id leaving;  ///< number of remaining outgoing arcs
};

/// Finds the component of each vertex in the bitmap `open`: its smallest vertex. Uses only vertices without a
/// component, of which there are `vertices`, with marks of 0. Reads the rows in this process. Returns the
/// number of arcs that it read.
std::uint64_t settle_serially(const adjacency& rows, strong_state* states,
                              std::span<const std::uint64_t> open, std::uint64_t vertices);

}  // namespace gossamer::graph
