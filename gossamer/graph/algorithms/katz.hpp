#pragma once
// Katz centrality: the score of a vertex is beta plus alpha times the sum of the scores of its in-neighbours
// [L. Katz, "A new status index derived from sociometric analysis", Psychometrika 1953]. As in NetworkX,
// iterated from zeros and scaled to Euclidean norm 1.

#include <vector>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct katz_options {
  double alpha = 0.1;  ///< weight of the neighbours' scores: 0 or more, less than 1 / the largest eigenvalue
  double beta = 1;  ///< added to each score
  iteration_limits limits = {};  ///< when the iteration stops
  bool weighted = false;  ///< uses the weights of arcs, if the graph has some
  bool raw = false;  ///< does not scale the scores
};

/// The result.
struct katz_result : iteration_result {
  std::vector<double> scores;  ///< by vertex; of Euclidean norm 1, unless raw
  bool diverged = false;  ///< scores exceeded 1e150
};

/// Computes Katz centrality. Weights must be 0 or more. Collective over all cores; main fiber. Takes 16 bytes
/// of memory per vertex.
katz_result katz_centrality(const graph_view& g, const katz_options& options = {},
                            const progress_hook& progress = {});

}  // namespace gossamer::graph
