#pragma once
// Cuts the vertices into one block per core, of equal work rather than equal length: real graphs are
// skewed. Boundaries are multiples of k_vertex_alignment, so that a bitmap word, and the cache line it
// is in, has one owner.

#include <cstdint>
#include <vector>

#include "gossamer/graph/view.hpp"

namespace gossamer::graph {

inline constexpr std::uint64_t k_vertex_alignment = 512;

/// parts + 1 ascending boundaries, the first 0, the last `vertices`; edges(block) + vertices(block)
/// about equal. For by_boundaries(...) arrays and forall_chunks(bounds, ...). Serial, O(parts log n).
std::vector<std::uint64_t> equal_edge_bounds(const adjacency& rows, std::uint64_t vertices, unsigned parts);

/// The same cut for an array of one element per `group` vertices (a bitmap: 64).
std::vector<std::uint64_t> grouped_bounds(const std::vector<std::uint64_t>& bounds, std::uint64_t group);

}  // namespace gossamer::graph
