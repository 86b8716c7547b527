#pragma once
// Counts the edges that a search has reached, from the parents.

#include <cstdint>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::studies {

/// Returns the sum of the out-degrees of the reached vertices; of an undirected graph half of it. Suspends.
inline std::uint64_t reached_edges(const graph::graph_view& g, const array<graph::vertex_id>& parents) {
  scoped_per_core<std::uint64_t> sums;
  on_all_cores([out = graph::adjacency(g.out), parents, slots = sums.handle()] {
    auto v = static_cast<graph::vertex_id>(parents.local_begin());
    for (const graph::vertex_id parent : parents.local()) {
      if (parent != graph::k_no_vertex) slots.here() += out.degree(v);
      ++v;
    }
  });
  const std::uint64_t arcs =
      sums.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return g.directed ? arcs : arcs / 2;
}

}  // namespace gossamer::studies
