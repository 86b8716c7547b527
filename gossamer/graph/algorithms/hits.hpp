#pragma once
// Hubs and authorities: a good hub has arcs to good authorities, and a good authority has arcs from good hubs
// [J. M. Kleinberg, "Authoritative sources in a hyperlinked environment", J. of the ACM 1999]. Iterated from
// equal hubs; hubs and authorities each sum to 1, as in NetworkX.

#include <vector>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct hits_options {
  iteration_limits limits = {};  ///< when the iteration stops: by the change of the hubs
  bool weighted = true;  ///< uses the weights of arcs, if the graph has some
};

/// The result.
struct hits_result : iteration_result {
  std::vector<double> hubs;  ///< by vertex; sums to 1, or all are 0 if no arc has weight
  std::vector<double> authorities;  ///< likewise
};

/// Computes hubs and authorities. Weights must be 0 or more. Collective over all cores; main fiber. Takes 24
/// bytes of memory per vertex.
hits_result hubs_and_authorities(const graph_view& g, const hits_options& options = {},
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
