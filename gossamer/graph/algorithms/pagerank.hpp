#pragma once
// PageRank by power iteration, pulled: the score of v is (1-d)/n + d * (sum over in-neighbours u of
// score(u)/outdegree(u) + dangling/n), where dangling is the score of vertices without outgoing edges,
// spread evenly (Page et al. 1999; what NetworkX computes). Contributions are a frozen array, read in
// place; each core writes only the scores it owns.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// When the iteration stops, and how it follows edges.
struct pagerank_options {
  double damping = 0.85;           // 0 <= damping < 1 (asserted)
  double tolerance = 1e-6;         // stop when the L1 change of an iteration is below it
  /// Stops after so many iterations at the latest.
  std::uint64_t max_iterations = 1000;
};

/// What was computed.
struct pagerank_result {
  std::vector<double> scores;      // sum to 1
  /// How many were made.
  std::uint64_t iterations = 0;
  double change = 0;               // L1 change of the last iteration
  bool converged = false;          // change < tolerance
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes PageRank. Collective over all cores; main fiber. Takes 16 to 24 bytes of memory per vertex.
pagerank_result pagerank(const graph_view& g, const pagerank_options& options = {},
                         const progress_hook& progress = {});

}  // namespace gossamer::graph
