#pragma once
// PageRank by power iteration, pulled: the score of v is (1-d)/n + d * (sum over in-neighbours u of
// score(u)/outdegree(u) + dangling/n), where dangling is the score of vertices without outgoing edges,
// spread evenly (Page et al. 1999; what NetworkX computes). By weights an arc passes on its share of the weights that leave u. With a
// preference of vertices, both 1/n are its shares. Contributions are a frozen array, read in place; each core writes only the scores it owns.

#include <cstdint>
#include <vector>

#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// When the iteration stops, and how it follows edges.
struct pagerank_options {
  double damping = 0.85;  // 0 <= damping < 1 (asserted)
  double tolerance = 1e-6;  // stop when the L1 change of an iteration is below it
  /// Stops after so many iterations at the latest.
  std::uint64_t max_iterations = 1000;
  bool weighted = true;  ///< by the weights of arcs, which are 0 or more, where the graph has some
  /// A share for each vertex of where the walk begins anew; their sum is 1 (pagerank() divides). Empty: 1/n each.
  std::vector<double> preference = {};
  /// A share for each vertex of where vertices without outgoing weight lead; likewise. Empty: as `preference`.
  std::vector<double> dangling = {};
  /// Where scores are kept after an iteration, to go on from. They stay until forget_checkpoint().
  checkpoint_options resume = {};
};

/// What was computed.
struct pagerank_result : iteration_result {
  std::vector<double> scores;  // sum to 1
  std::uint64_t iterations_before = 0;  ///< of the iterations: that an earlier start has made
};

/// Computes PageRank. Collective over all cores; main fiber. Takes 16 to 24 bytes of memory per vertex; 8 more by weights, and for each of
/// preference and dangling.
pagerank_result pagerank(const graph_view& g, const pagerank_options& options = {},
                         const progress_hook& progress = {});

}  // namespace gossamer::graph
