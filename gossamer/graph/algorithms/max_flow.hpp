#pragma once
// A maximum flow from one vertex to another, and a minimum cut. The weights of arcs are their capacities; an
// undirected edge has its capacity in either direction.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct max_flow_options {
  bool unit_capacities = false;  ///< gives each arc capacity 1, whatever its weight
  bool edges = false;  ///< computes the flow of each arc, too
};

/// The result.
struct max_flow_result {
  double value = 0;  ///< of the flow; equals the capacity of the cut
  /// By vertex: 1 if an augmenting path to the sink exists from it, else 0. That is the minimum cut with the
  /// fewest vertices on the sink's side.
  std::vector<vertex_id> side;
  std::uint64_t cut_arcs = 0;  ///< arcs with capacity from side 0 to side 1
  std::uint64_t sink_side = 0;  ///< vertices on side 1
  /// The arcs with flow, if requested. They are arcs of the graph; an undirected edge appears in the
  /// direction of its net flow. Flows are multiples of the unit, so they are exact if capacities are integers
  /// whose sum is less than 2^50.
  struct carried_by_arcs {
    std::vector<vertex_id> from;  ///< ascending
    std::vector<vertex_id> to;  ///< ascending for each
    std::vector<double> flow;  ///< above 0
  };
  carried_by_arcs carried;  ///< empty if not requested
  std::uint64_t rounds = 0;  ///< rounds in which cores pushed
  std::uint64_t searches = 0;  ///< searches for the distances to the sink, and back to the source
  std::uint64_t pushes = 0;  ///< along an arc
  std::uint64_t raises = 0;  ///< relabelled vertices
  double seconds = 0;  ///< of the algorithm alone, with the residual network
};

/// Computes a maximum flow from `source` to `sink`, two vertices (asserted). The result does not depend on
/// the number of cores: with `edges`, the flow is that of 16 blocks of vertices.
/// Capacities are rounded down to multiples of a unit, at least one. Let S be the sum over the source's
/// outgoing arcs of the smaller of capacity and total capacity into the sink; the unit is at most 2^-59 of S.
/// If that is more than 2^-40 of the least capacity (some are as good as unbounded), a narrower cut takes the
/// place of the capacity into the sink: at most 2m times the widest path's capacity, where m is its arcs.
/// Collective over all cores; main fiber. The residual network lies in process 0, whose cores compute: 16
/// bytes for each arc and for each reverse arc that the graph does not have, 40 for each vertex; 16 for each
/// arc with flow, if requested. Throws
/// gossamer::error if both ends are one vertex, and if memory is not available. Throws it for a graph without
/// weights unless `unit_capacities` is set, for an invalid capacity (find_bad_length()), and for a flow that no
/// double holds.
max_flow_result max_flow(const graph_view& g, vertex_id source, vertex_id sink,
                         const max_flow_options& options = {}, const progress_hook& progress = {});

}  // namespace gossamer::graph
