#pragma once
// Eigenvector centrality: the score of a vertex is in proportion to the sum of those of the vertices from which arcs lead to it
// [P. Bonacich, "Power and centrality: a family of measures", American J. of Sociology 1987]. What NetworkX computes: the power iteration
// of A + I, which has the same eigenvectors as A and converges on bipartite graphs, too.

#include <vector>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How it is computed.
struct eigenvector_options {
  iteration_limits limits = {};  ///< when it stops
  bool weighted = false;  ///< by the weights of arcs, where the graph has some
};

/// What was computed.
struct eigenvector_result : iteration_result {
  std::vector<double> scores;  ///< by vertex; the root of the sum of their squares is 1
  double eigenvalue = 0;  ///< the largest of the arcs' matrix, as far as it has converged
};

/// Computes eigenvector centrality, from equal values. Weights are 0 or more. Where the largest eigenvalue is that of one part of the graph, the
/// scores of the others become 0. Collective over all cores; main fiber. Takes 16 bytes of memory per vertex.
eigenvector_result eigenvector_centrality(const graph_view& g, const eigenvector_options& options = {},
                                          const progress_hook& progress = {});

}  // namespace gossamer::graph
