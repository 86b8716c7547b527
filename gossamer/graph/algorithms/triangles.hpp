#pragma once
// Triangles, and clustering coefficients, of undirected graphs.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result.
struct triangles_result {
  std::vector<std::uint64_t> triangles;  // by vertex: triangles that contain it
  std::vector<double>
      clustering;  // by vertex: the share of its pairs of neighbours that are adjacent; 0 if it has no pair
  std::uint64_t total = 0;  // each triangle once
  /// Three times the triangles, divided by the paths of two edges; 0 if there is no such path.
  double transitivity = 0;
  double average_clustering = 0;  // mean over all vertices
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Counts triangles. Collective over all cores; main fiber. Throws gossamer::error for a directed graph.
/// Takes 4 bytes of memory per edge, 28 per vertex, and 4 per vertex on each core. Each process takes that
/// for the whole graph.
triangles_result count_triangles(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
