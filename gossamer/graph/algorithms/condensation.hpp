#pragma once
// The condensation of a directed graph: its strongly connected components as vertices, and the arcs between
// them.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The arcs of a condensation. A component is named by its smallest vertex.
struct condensed_arcs {
  /// All components in topological order: by the length of the longest path that ends there, then by name.
  std::vector<vertex_id> order;
  std::vector<vertex_id> from;  ///< position in `order`
  std::vector<vertex_id> to;  ///< position in `order`, for each `from`
  std::vector<std::uint64_t> arcs;  ///< number of arcs of the graph from the one component to the other
  double seconds = 0;  ///< of the algorithm alone
};

/// Orders the components, and finds the arcs between them, each pair of components once. `component`: by
/// vertex the smallest vertex of its component, as strong_components() returns it (g.vertices entries,
/// asserted). An undirected graph has no such arcs. Collective over all cores; main fiber. Takes 4 bytes of
/// memory per vertex, 16 in process 0. For each pair of components with arcs from a core's vertices, that
/// core takes up to 64 bytes, however many arcs there are; process 0 takes up to 64 for each pair. Throws
/// gossamer::error before it takes memory that is not available.
condensed_arcs condensation(const graph_view& g, std::span<const vertex_id> component,
                            const progress_hook& progress = {});

}  // namespace gossamer::graph
