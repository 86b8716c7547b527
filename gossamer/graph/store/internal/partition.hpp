#pragma once
// Divides the vertices into one block per core, of equal work rather than equal length, because real graphs
// are skewed. Boundaries are multiples of k_vertex_alignment, so that a bitmap word, and its cache line, has
// one owner.

#include <cstdint>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

inline constexpr std::uint64_t k_vertex_alignment = 512;

struct vertex_range {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  bool has(std::uint64_t v) const { return v - begin < end - begin; }
};

/// Returns the vertices whose rows this process has.
vertex_range own_vertices(const graph_view& g);

/// Returns the range of vertices around them whose blocks of global arrays this process reads in place
/// (memory::lies_here()).
vertex_range vertices_here(const graph_view& g);

/// Returns parts + 1 ascending boundaries of `range`, including its own. Balances edges(block) +
/// vertices(block). Serial, O(parts log n).
std::vector<std::uint64_t> equal_edge_bounds(const adjacency& rows, vertex_range range, unsigned parts);
inline std::vector<std::uint64_t> equal_edge_bounds(const adjacency& rows, std::uint64_t vertices,
                                                    unsigned parts) {
  return equal_edge_bounds(rows, vertex_range{0, vertices}, parts);
}

/// Returns the boundaries of one block per core, of equal edges (of `in`), inside the vertices of its
/// process. For by_boundaries(...) arrays and forall_chunks(bounds, ...). Called by one fiber; with several
/// processes collective.
std::vector<std::uint64_t> core_bounds(const graph_view& g);

/// Returns the same boundaries for an array of one element per `group` vertices (a bitmap: 64).
std::vector<std::uint64_t> grouped_bounds(const std::vector<std::uint64_t>& bounds, std::uint64_t group);

}  // namespace gossamer::graph
