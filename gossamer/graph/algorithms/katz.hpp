#pragma once
// Katz centrality: the score of a vertex is alpha times the sum of those of the vertices from which arcs lead to it, and beta [L. Katz, "A new
// status index derived from sociometric analysis", Psychometrika 1953]. What NetworkX computes: iterated from zeros, scaled to length 1.

#include <vector>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How it is computed.
struct katz_options {
  double alpha =
      0.1;  ///< what a score passes on along an arc: 0 or more, less than 1 / the largest eigenvalue
  double beta = 1;  ///< what each vertex has by itself
  iteration_limits limits = {};  ///< when it stops
  bool weighted = false;  ///< by the weights of arcs, where the graph has some
  bool raw = false;  ///< leaves the scores as they are
};

/// What was computed.
struct katz_result : iteration_result {
  std::vector<double> scores;  ///< by vertex; the root of the sum of their squares is 1, unless raw
  bool diverged = false;  ///< whether they grew beyond 1e150
};

/// Computes Katz centrality. Weights are 0 or more. Collective over all cores; main fiber. Takes 16 bytes of memory per vertex.
katz_result katz_centrality(const graph_view& g, const katz_options& options = {},
                            const progress_hook& progress = {});

}  // namespace gossamer::graph
