#pragma once
// Shortest paths from many vertices, or all, with weights of any sign: Johnson's algorithm.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Shortest paths from some sources: a row for each source and each vertex that it reaches, itself included.
struct johnson_result {
  std::vector<vertex_id> from;  ///< the sources in their order
  std::vector<vertex_id> to;  ///< ascending for each source
  std::vector<double> length;  ///< integers are exact
  /// The predecessor of `to` on a shortest path with the fewest edges; the smallest of several. The source is
  /// its own.
  std::vector<vertex_id> parent;
  std::vector<vertex_id>
      cycle;  ///< a negative cycle, from its smallest vertex on; then there are no rows. Empty: there is none
  std::uint64_t searched = 0;  ///< vertices whose edges were relaxed; but for rounding, as many as rows
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds shortest paths from each of the sources (vertices, asserted), or a negative cycle anywhere in the
/// graph. Each edge has length 1 if the graph has no weights. Collective over all cores; main fiber. The same
/// result on any number of cores: the lengths of bellman_ford(). Each core searches from different sources,
/// so few sources use few cores. Takes 8 bytes of memory per vertex on each process, 48 on each core, and a
/// copy of the rows on each node but the first; for each row of the result 36 in process 0, and 16 on the
/// process that found it. Throws gossamer::error if that memory is not available; for a weight that is
/// infinite or not a number; for a length that overflows a double, or 2^53 if weights are integers; and for a
/// cycle of real weights whose exact sum is 0 but is not rounded to 0.
johnson_result johnson(const graph_view& g, std::span<const vertex_id> sources,
                       const progress_hook& progress = {});

}  // namespace gossamer::graph
