#pragma once
// Connected components; direction is ignored. A truncated breadth-first search finds the giant component
// first (the idea of Afforest: Sutton, Ben-Nun, Barak, IPDPS 2018). Union-find then joins the edges inside a
// process: first those between vertices of one core, then those between cores. Edges between processes are
// joined by shipped minimum operations (Shiloach and Vishkin, 1982).

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::graph {

/// The number of components of one size.
struct component_size {
  std::uint64_t size;   // vertices in a component
  std::uint64_t count;  // components of that size
};

/// The result.
struct components_result {
  std::vector<vertex_id> component;  // per vertex: the smallest vertex of its component
  std::uint64_t components = 0;      // how many
  std::uint64_t largest = 0;         // vertices in the largest
  vertex_id largest_id = k_no_vertex;  // its id (smallest such among equals)
  std::vector<component_size> sizes;   // size distribution, ascending by size
  double seconds = 0;                  // labelling alone, without counting the sizes
};

/// Finds the connected components. Collective over all cores; main fiber. Takes about 13 bytes of memory per
/// vertex.
components_result connected_components(const graph_view& g, const progress_hook& progress = {});

/// Finds them in the same way, for a graph that is not empty. Returns the smallest vertex of each vertex's
/// component, stored on the core that owns its row.
scoped_array<vertex_id> component_labels(const graph_view& g, const progress_hook& progress = {});

/// Counts the components of a label array: per vertex, the smallest vertex of its component. `seconds` is 0.
/// Serial, linear.
components_result components_of_labels(std::vector<vertex_id> component);

}  // namespace gossamer::graph
