#pragma once
// Shortest paths from one vertex with weights of any sign, by the algorithm of Bellman and Ford; finds a
// negative cycle if there is one.

#include <optional>
#include <vector>

#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result of a search with weights of any sign.
struct bellman_ford_result {
  /// Source, number of reached vertices and the farthest, if there is no negative cycle; the steps are
  /// rounds.
  sssp_result found;
  /// By vertex; infinite if it is not reached. Integers up to 2^53 are exact. Empty if there is a negative
  /// cycle.
  std::vector<double> lengths;
  /// The predecessor of each vertex on a shortest path with the fewest edges; the smallest of several. The
  /// source is its own; k_no_vertex means not reached. Empty if there is a negative cycle.
  std::vector<vertex_id> parents;
  /// The vertices of a negative cycle that the source reaches, in the order of its arcs, the smallest first.
  /// Empty: there is none.
  std::vector<vertex_id> cycle;
};

/// Finds shortest paths from `source` < vertices (asserted), or a negative cycle. Without a source every
/// vertex starts at length 0, so a negative cycle anywhere is found. An undirected edge of negative weight is
/// such a cycle. A graph stores no self-loops: the caller checks graph_statistics::negative_loops. Collective
/// over all cores; main fiber. The same result on any number of cores. Takes as many rounds as the shortest
/// paths have edges. Throws gossamer::error if a weight is infinite or not a number, and if a length
/// overflows a double, or 2^53 if weights are integers. A cycle of real weights whose exact sum is 0 counts
/// as negative if rounded sums decrease along it.
bellman_ford_result bellman_ford(const graph_view& g, std::optional<vertex_id> source,
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
