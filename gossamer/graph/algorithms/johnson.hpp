#pragma once
// Shortest paths from many vertices, or all, by weights of any sign: Johnson's method.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The shortest paths from some sources: a row for each source and each vertex that it reaches, itself included.
struct johnson_result {
  std::vector<vertex_id> from;  ///< the sources in their order
  std::vector<vertex_id> to;  ///< ascending for each
  std::vector<double> length;  ///< integers are exact
  /// The vertex before `to` on a shortest path with the fewest edges: of several the smallest. The source is its own.
  std::vector<vertex_id> parent;
  std::vector<vertex_id>
      circle;  ///< of negative length, from its smallest vertex on: no rows then. Empty: there is none
  std::uint64_t searched = 0;  ///< vertices from which edges were followed; but for rounding, as many as rows
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds shortest paths from each of the sources (vertices, asserted), or a circle of negative length wherever one is; each edge counts 1 where
/// a graph has no weights. Collective over all cores; main fiber. The same answer on any number of cores: the lengths of bellman_ford(). Cores
/// search from different sources, so few sources use few cores. Takes 8 bytes of memory for each vertex on each process, 48 on each core, and
/// those of a copy of the rows on each node but the first; 36 in process 0 for each row, and 16 where it was found. Throws gossamer::error
/// where that memory is not there; for a weight that is infinite or not a number; for a length that exceeds what a double holds, or 2^53 where
/// weights are integers; and for a circle of reals whose sum is 0 but for rounding.
johnson_result johnson(const graph_view& g, std::span<const vertex_id> sources,
                       const progress_hook& progress = {});

}  // namespace gossamer::graph
