#pragma once
// Eigenvector centrality: the score of a vertex is proportional to the sum of the scores of its in-neighbours
// [P. Bonacich, "Power and centrality: a family of measures", American J. of Sociology 1987]. As in NetworkX,
// computed by power iteration of A + I, which has the same eigenvectors as A and also converges on bipartite
// graphs; with weights, of A + wI for the mean weight w of an arc, so that the scores do not depend on the unit
// of weights (NetworkX adds I, whatever the weights are).

#include <vector>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct eigenvector_options {
  iteration_limits limits = {};  ///< when the iteration stops
  bool weighted = false;  ///< uses the weights of arcs, if the graph has some
};

/// The result.
struct eigenvector_result : iteration_result {
  std::vector<double> scores;  ///< by vertex; scaled to Euclidean norm 1
  double eigenvalue = 0;  ///< the largest eigenvalue of the adjacency matrix, as far as it has converged
};

/// Computes eigenvector centrality, starting from equal values. Weights must be 0 or more. If only one part
/// of the graph has the largest eigenvalue, the scores of the others become 0. Collective over all cores;
/// main fiber. Takes 16 bytes of memory per vertex.
eigenvector_result eigenvector_centrality(const graph_view& g, const eigenvector_options& options = {},
                                          const progress_hook& progress = {});

}  // namespace gossamer::graph
