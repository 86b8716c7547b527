#pragma once
// Strongly connected components by one serial depth-first search, without recursion [D. J. Pearce, "A space-efficient algorithm for finding
// strongly connected components", Information Processing Letters 2016]: strong.cpp has process 0 search what is left by it.

#include <cstdint>
#include <span>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What strong.cpp knows of a vertex.
struct strong_state {
  vertex_id component;  ///< a vertex of its component; k_no_vertex until that is found
  vertex_id
      mark;  ///< arcs left that lead to it; whether a search has reached it; a colour; the order of a serial search
  vertex_id leaving;  ///< arcs left that lead from it
};

/// Finds the components of the `open` vertices, a bitmap, which have none: the smallest vertex of each. Stays within vertices that have none.
/// There are so many `vertices`, and their marks are 0. Looks at the rows that lie here. Returns the number of arcs that it looked at.
std::uint64_t settle_serially(const adjacency& rows, strong_state* states,
                              std::span<const std::uint64_t> open, std::uint64_t vertices);

}  // namespace gossamer::graph
