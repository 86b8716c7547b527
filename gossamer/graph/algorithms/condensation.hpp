#pragma once
// The condensation of a directed graph: its strongly connected components as vertices, and the arcs between them.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The arcs of a condensation. A component is named by its smallest vertex.
struct condensed_arcs {
  /// All components, such that each arc leads to a later one: by the arcs of the longest path that ends there, then by name.
  std::vector<vertex_id> order;
  std::vector<vertex_id> from;  ///< by their places in `order`
  std::vector<vertex_id> to;  ///< for each `from` by their places, too
  std::vector<std::uint64_t> arcs;  ///< of the graph: how many lead from the one component to the other
  double seconds = 0;  ///< of the algorithm alone
};

/// Orders the components, and finds the arcs between them, each pair of components once. `component`: by vertex the smallest vertex of its
/// component, as strong_components() has it (g.vertices of them, asserted). An undirected graph has no such arcs. Collective over all cores; main
/// fiber. Takes 4 bytes of memory for each vertex, 16 in process 0; and up to 64 on each core for each pair of components between which arcs of
/// its vertices lead, however many arcs these are. Process 0 takes up to 64 for each of these pairs. Throws gossamer::error where that memory is
/// not there, before it takes it.
condensed_arcs condensation(const graph_view& g, std::span<const vertex_id> component,
                            const progress_hook& progress = {});

}  // namespace gossamer::graph
