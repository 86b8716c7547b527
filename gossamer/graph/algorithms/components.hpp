#pragma once
// Connected components; direction is ignored. A truncated breadth-first search takes the giant
// component out of the way (the idea of Afforest: Sutton, Ben-Nun, Barak, IPDPS 2018). Each core then joins
// what it owns by a union-find of its own. The edges between cores are hooked by shipped minimum operations
// (Shiloach and Vishkin, 1982). Or, with the structures of combining/, by searches from many
// vertices at once that note where they meet (Berry, Hendrickson, Kahan, Konecny, IPDPS 2007).

#include <cstdint>
#include <vector>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How many components have a size.
struct component_size {
  std::uint64_t size;   // vertices in a component
  std::uint64_t count;  // components of that size
};

/// What was found.
struct components_result {
  std::vector<vertex_id> component;  // per vertex: the smallest vertex of its component
  std::uint64_t components = 0;      // how many
  std::uint64_t largest = 0;         // vertices in the largest
  vertex_id largest_id = k_no_vertex;  // its id (smallest such among equals)
  std::vector<component_size> sizes;   // size distribution, ascending by size
  double seconds = 0;                  // labelling alone, without counting the sizes
};

/// Union-find with hooking; or searches from many vertices at once, whose meetings a hash set keeps.
enum class components_method : std::uint8_t { hooking, three_phase };

/// How components are found.
struct components_options {
  /// The algorithm.
  components_method method = components_method::hooking;
  combine combining = combining::by_default();  // three_phase: of the set of pairs that have met
  std::uint64_t few_pairs = 1 << 18;            //   the same: up to so many process 0 joins by itself
};

/// Finds the connected components. Collective over all cores; main fiber. Takes about 13 bytes of memory per
/// vertex. Returns the same for all methods.
components_result connected_components(const graph_view& g, const progress_hook& progress = {},
                                       const components_options& options = {});

}  // namespace gossamer::graph
