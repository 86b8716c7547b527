#pragma once
// Strongly connected components: two vertices are in one component if each has a path to the other along the
// arcs. Vertices on no cycle are trimmed. A forward and a backward search find the giant component. Label
// propagation (colouring) or a serial search finds the others [G. M. Slota, S. Rajamanickam, K. Madduri, "BFS
// and Coloring-based Parallel Algorithms for Strongly Connected Components and Related Problems", IPDPS
// 2014].

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct strong_options {
  /// Process 0 searches what is left alone if it has at most so many arcs. None: the library chooses.
  std::optional<std::uint64_t> serial_arcs = {};
};

/// Finds the strongly connected components; of an undirected graph the connected ones. Collective over all
/// cores; main fiber. Takes about 17 bytes of memory per vertex, and up to 16 for each vertex that process 0
/// searches alone.
components_result strong_components(const graph_view& g, const progress_hook& progress = {},
                                    const strong_options& options = {});

/// Returns the components, named by their smallest vertices, in reverse topological order: no arc leads from
/// one to a later one. That is the order in which a serial depth-first search completes them. `component` is
/// that of strong_components(). Serial, linear, in process 0; takes 4 bytes of memory per arc between
/// components.
std::vector<vertex_id> sinks_first(const graph_view& g, std::span<const vertex_id> component);

}  // namespace gossamer::graph
