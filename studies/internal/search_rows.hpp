#pragma once
// Types that the driver (direction_optimising.hpp) and the frontier (frontier_queue.hpp) of a search share.

#include <cstdint>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::studies {

using namespace graph;

/// The counts of a core for the level that was discovered last.
struct level_statistics {
  std::uint64_t found = 0;  // vertices that it adopted, or that are in chunks it processed
  std::uint64_t edges = 0;  // estimated degrees of its vertices in the frontier
};

/// To estimate the edges of a frontier, a core samples the degrees of about 1/64 of so many of the vertices
/// that it stages at once.
inline constexpr std::uint64_t k_degrees_sampled = 512;

/// Handles that driver and frontier share.
template <class Rows>
struct search_state {
  graph_view graph;
  Rows forward;
  array<vertex_id> parent;
  array<std::uint64_t> visited;
  per_core<level_statistics> statistics;
};

}  // namespace gossamer::studies
