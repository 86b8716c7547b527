#pragma once
// Random source vertices for trials and samples: the same for a graph and a seed on any number of cores.

#include <cstdint>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Returns the number of vertices with at least one outgoing edge. Serial, one pass over the offsets (over
/// processes: a copy).
std::uint64_t count_sources(const graph_view& g);

/// Returns `count` distinct vertices with at least one outgoing edge, uniformly drawn. Returns all of them
/// (in random order) when there are no more than `count`.
std::vector<vertex_id> random_sources(const graph_view& g, std::uint64_t count, std::uint64_t seed);

}  // namespace gossamer::graph
