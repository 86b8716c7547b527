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
  std::vector<vertex_id> from;  ///< ascending
  std::vector<vertex_id> to;  ///< ascending for each, another component than `from`
  std::vector<std::uint64_t> arcs;  ///< of the graph: how many lead from the one component to the other
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the arcs between components, each pair of components once. `component`: by vertex the smallest vertex of its component, as
/// strong_components() has it (g.vertices of them, asserted). An undirected graph has no such arcs. Collective over all cores; main fiber. Takes 4
/// bytes of memory for each vertex, and 16 for each arc between components where it leaves. Process 0 takes as many for each pair of components
/// that a core found.
condensed_arcs condensation(const graph_view& g, std::span<const vertex_id> component,
                            const progress_hook& progress = {});

}  // namespace gossamer::graph
