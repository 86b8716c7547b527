#pragma once
// The largest flow from one vertex to another, and a cut that no flow gets past. The weights of arcs are their capacities; an undirected
// edge carries its capacity either way.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What a flow may be.
struct max_flow_options {
  bool unit_capacities = false;  ///< each arc has a capacity of 1, whatever its weight
  bool edges = false;  ///< what each arc carries is asked for, too
};

/// What was computed.
struct max_flow_result {
  double value = 0;  ///< of the flow: the sum of the capacities of the cut
  /// By vertex: 1 where more could reach the sink, 0 elsewhere. That is the smallest cut with the fewest vertices on the sink's side.
  std::vector<vertex_id> side;
  std::uint64_t cut_arcs = 0;  ///< arcs of some capacity from side 0 to side 1
  std::uint64_t sink_side = 0;  ///< vertices on side 1
  /// Of the arcs that carry some, where they are asked for: the graph's own, an undirected edge in the way in which it carries more. They are
  /// multiples of the unit, so exact where capacities are whole numbers of less than 2^50 in sum.
  struct carried_by_arcs {
    std::vector<vertex_id> from;  ///< ascending
    std::vector<vertex_id> to;  ///< ascending for each
    std::vector<double> flow;  ///< above 0
  };
  carried_by_arcs carried;  ///< empty where it is not asked for
  std::uint64_t rounds = 0;  ///< in which cores pushed
  std::uint64_t searches = 0;  ///< for the distances to the sink, and back to the source
  std::uint64_t pushes = 0;  ///< along an arc
  std::uint64_t raises = 0;  ///< of a vertex that could push no more
  double seconds = 0;  ///< of the algorithm alone, with the residual network
};

/// Computes a largest flow from `source` to `sink`, two vertices (asserted). The answer does not depend on the number of cores: of the flows
/// that are as large, that of 16 blocks of vertices is taken where arcs are asked for. Capacities
/// are cut to multiples of a unit, the least to one: 2^-59 at most of the sum, over the arcs that leave the source, of their capacity or of all that
/// may enter the sink, whichever is less.
/// Collective over all cores; main fiber. The residual network lies in process 0, whose cores work: 16 bytes for each arc and for each
/// reverse that is no arc itself, 40 for each vertex. Throws gossamer::error for one vertex as both ends, and for memory that is not there.
/// Throws it for a graph without weights where `unit_capacities` is not set, and for a capacity that is no length (find_bad_length()).
max_flow_result max_flow(const graph_view& g, vertex_id source, vertex_id sink,
                         const max_flow_options& options = {}, const progress_hook& progress = {});

}  // namespace gossamer::graph
