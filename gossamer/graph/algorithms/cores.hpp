#pragma once
// Core numbers: the core number of a vertex is the largest k such that it belongs to a subgraph in which
// every vertex has degree k or more [S. B. Seidman, "Network structure and minimum degree", Social Networks
// 1983]. The degree of a directed graph counts both directions, as NetworkX's core_number does.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result.
struct cores_result {
  std::vector<vertex_id> core;  // by vertex
  vertex_id degeneracy = 0;  // the largest core number
  std::uint64_t innermost = 0;  // vertices with the largest core number
  std::uint64_t levels = 0;  // distinct core numbers
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes core numbers. Collective over all cores; main fiber. Throws gossamer::error for a directed graph
/// of 2^31 vertices or more, whose degrees may overflow 32 bits. Takes 12 bytes of memory per vertex, and 8
/// for each vertex with an update in flight.
cores_result core_numbers(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
