#pragma once
// PageRank by power iteration, pulled: the score of v is (1-d)/n + d * (sum over in-neighbours u of
// score(u)/outdegree(u) + dangling/n). Here dangling is the sum of the scores of vertices without outgoing
// edges, spread evenly (Page et al. 1999; as in NetworkX). With weights, u divides its score in proportion to
// the weights of its arcs. With a preference, the preference of v replaces both 1/n. Contributions are a
// frozen array, read in place; each core writes only the scores that it owns.

#include <cstdint>
#include <vector>

#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct pagerank_options {
  double damping = 0.85;  // 0 <= damping < 1 (asserted)
  double tolerance = 1e-6;  // stop when the L1 change of an iteration is below it
  /// Stops after this many iterations at the latest.
  std::uint64_t max_iterations = 1000;
  bool weighted = true;  ///< uses the weights of arcs, which must be 0 or more, if the graph has some
  /// The probability of each vertex when the walk restarts; pagerank() scales the sum to 1. Empty: 1/n each.
  std::vector<double> preference = {};
  /// The probability of each vertex after a vertex without outgoing weight; likewise scaled. Empty: as
  /// `preference`.
  std::vector<double> dangling = {};
  /// Where scores are saved after iterations (checkpoint.hpp), until the folder of the result is forgotten.
  checkpoint_options resume = {};
};

/// The result.
struct pagerank_result : iteration_result {
  std::vector<double> scores;  // sum to 1
  std::uint64_t iterations_before = 0;  ///< how many of the iterations an earlier start has made
  checkpoint_folder saved = {};  ///< locked until it is forgotten or gone
};

/// Computes PageRank. Collective over all cores; main fiber. Takes 16 to 24 bytes of memory per vertex; 8
/// more with weights, and for each of preference and dangling.
pagerank_result pagerank(const graph_view& g, const pagerank_options& options = {},
                         const progress_hook& progress = {});

}  // namespace gossamer::graph
