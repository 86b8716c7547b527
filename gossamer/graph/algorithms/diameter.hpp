#pragma once
// The exact diameter of a graph: the largest distance between two vertices, one of which reaches the other.
// Searches from few vertices give a lower and an upper bound until the bounds meet [P. Crescenzi, R. Grossi,
// M. Habib, L. Lanzi, A. Marino, "On computing the diameter of real-world undirected graphs", Theoretical
// Computer Science 2013]. Each arc has length 1.

#include <cstdint>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options of the searches.
struct diameter_options {
  /// When searches pull.
  traversal_policy policy = {};
};

/// The result.
struct diameter_result {
  /// The largest distance between vertices of one component.
  std::uint64_t diameter = 0;
  /// One end of a longest shortest path. k_no_vertex: the graph has no vertices.
  vertex_id from = k_no_vertex;
  /// The other end.
  vertex_id to = k_no_vertex;
  std::uint64_t components = 0;  // number of components
  bool connected = false;  // the graph has one component
  std::uint64_t sources = 0;  // vertices that were searched from
  std::uint64_t searches = 0;  // searches, each from up to 64 vertices of each component at once
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes the diameter. Collective over all cores; main fiber. Throws gossamer::error for a directed graph
/// that is not strongly connected: its diameter is infinite. Reports the lower bound as progress, and the
/// upper bound as the total (0 until there is one). The worst case are graphs without a centre, such as a
/// ring: it searches from half of the vertices. Takes 28 bytes of memory per vertex, twice as much if the
/// graph is directed, and up to 48 in process 0.
diameter_result diameter(const graph_view& g, const diameter_options& options = {},
                         const progress_hook& progress = {});

}  // namespace gossamer::graph
