#pragma once
// Triangles: three vertices that are joined by three edges. Of undirected graphs.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What was computed.
struct triangles_result {
  std::vector<std::uint64_t> triangles;  // by vertex: those that it belongs to
  std::vector<double>
      clustering;  // by vertex: the share of its pairs of neighbours that are joined; 0 where it has no pair
  std::uint64_t total = 0;  // each triangle once
  double transitivity =
      0;  // three times the triangles by the paths of two edges; 0 where there is no such path
  double average_clustering = 0;  // of all vertices
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Counts triangles. Collective over all cores; main fiber. Throws gossamer::error for a directed graph. Takes 4 bytes of memory an edge
/// and 28 a vertex, and 4 a vertex on each core; over processes each takes all of that.
triangles_result count_triangles(const graph_view& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
