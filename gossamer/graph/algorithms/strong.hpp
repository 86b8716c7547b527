#pragma once
// Strongly connected components: two vertices are in one where each has a path to the other along the arcs. Vertices on no cycle are
// peeled off, two searches find the giant component, colours or one serial search the others [G. M. Slota, S. Rajamanickam, K. Madduri, "BFS
// and Coloring-based Parallel Algorithms for Strongly Connected Components and Related Problems", IPDPS 2014].

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How components are found.
struct strong_options {
  /// Process 0 searches the rest by itself where it has at most so many arcs. None: as many as pay.
  std::optional<std::uint64_t> serial_arcs = {};
};

/// Finds the strongly connected components; of an undirected graph the connected ones. Collective over all cores; main fiber. Takes
/// about 17 bytes of memory per vertex, and up to 16 for each that process 0 searches by itself.
components_result strong_components(const graph_view& g, const progress_hook& progress = {},
                                    const strong_options& options = {});

/// Returns the components, by their smallest vertices, such that no arc leads from one to a later one: in the order in which a serial
/// depth-first search leaves them. `component` is that of strong_components(). Serial, linear, in process 0; takes 4 bytes of memory per arc
/// between components.
std::vector<vertex_id> sinks_first(const graph_view& g, std::span<const vertex_id> component);

}  // namespace gossamer::graph
