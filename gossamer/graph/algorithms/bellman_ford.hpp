#pragma once
// Shortest paths from one vertex where weights may be negative, by Bellman and Ford's method; circles of negative length are named.

#include <optional>
#include <vector>

#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What a search by negative weights found.
struct bellman_ford_result {
  /// Source, reached vertices and the farthest, where there is no circle; the steps are rounds.
  sssp_result found;
  /// By vertex, infinite where there is no way; integers up to 2^53 are exact. Empty where there is a circle.
  std::vector<double> lengths;
  /// The vertex before each on a shortest path with the fewest edges: of several the smallest. The source is its own; k_no_vertex means not
  /// reached. Empty where there is a circle.
  std::vector<vertex_id> parents;
  /// The vertices of a circle of negative length that the source reaches, in the order of its arcs, the smallest first. Empty: there is none.
  std::vector<vertex_id> circle;
};

/// Finds shortest paths from `source` < vertices (asserted) by weights of any sign, or a circle that makes paths ever shorter. Without a source
/// every vertex starts at length 0, so a circle anywhere is found. An undirected edge with a negative weight is such a circle. Self-loops are not
/// kept: the caller looks at graph_statistics::negative_loops. Collective over all cores; main fiber. The same answer on any number of cores.
/// Takes as many rounds as the shortest paths have edges. Throws gossamer::error where a weight is infinite or not a number, and where a length
/// that counts exceeds what a double holds, or 2^53 where weights are integers. A circle of reals is also one whose sum is 0 but for rounding,
/// where rounded sums shrink along it.
bellman_ford_result bellman_ford(const graph_view& g, std::optional<vertex_id> source,
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
