#pragma once
// What the parts of a search share: driver (direction_optimising.hpp) and frontier (frontier_queue.hpp).

#include <cstdint>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::studies {

using namespace graph;

/// What a core knows of the level that was last found.
struct level_statistics {
  std::uint64_t found = 0;  // vertices that it adopted, or whose chunks it went through
  std::uint64_t edges = 0;  // estimated degrees of its vertices in the frontier
};

/// Of how many vertices of a frontier each core looks up the degree, to estimate its edges.
inline constexpr std::uint64_t k_degrees_sampled = 512;

/// Handles to what driver and frontier share.
template <class Rows>
struct search_state {
  graph_view graph;
  Rows forward;
  array<vertex_id> parent;
  array<std::uint64_t> visited;
  per_core<level_statistics> statistics;
};

}  // namespace gossamer::studies
