#pragma once
// The diameter of a graph, exactly: the largest distance between two vertices of which one reaches the other. Searches from few vertices
// bound it from below and from above until the bounds meet [P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, "On computing the
// diameter of real-world undirected graphs", Theoretical Computer Science 2013]. Each arc counts 1.

#include <cstdint>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How searches run.
struct diameter_options {
  /// When they pull.
  traversal_policy policy = {};
};

/// What was found.
struct diameter_result {
  /// The largest distance, inside components where the graph has several.
  std::uint64_t diameter = 0;
  /// A vertex at that distance from another. k_no_vertex: the graph has no vertex.
  vertex_id from = k_no_vertex;
  /// The other one.
  vertex_id to = k_no_vertex;
  std::uint64_t components = 0;  // of the graph
  bool connected = false;  // it has one component
  std::uint64_t sources = 0;  // vertices that searches started from
  std::uint64_t searches = 0;  // from up to 64 vertices of each component at once
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes the diameter. Collective over all cores; main fiber. Throws gossamer::error for a directed graph that is not strongly connected,
/// whose diameter is infinite. Reports the lower bound as done, and the upper one as the total, which is 0 until there is one. The worst case
/// are graphs without a centre, like a ring: a search from half of the vertices. Takes 28 bytes of memory a vertex, twice where the graph is
/// directed, and up to 48 in process 0.
diameter_result diameter(const graph_view& g, const diameter_options& options = {},
                         const progress_hook& progress = {});

}  // namespace gossamer::graph
