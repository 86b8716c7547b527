#pragma once
// The handle through which algorithms read a graph: compressed sparse rows, in place (path 2).
// Trivially copyable, owns nothing: kernels capture it by value; `graph` (graph.hpp) owns the rows.
// A directed graph holds both directions; an undirected one holds each edge in both rows and its
// `in` is its `out`. Rows are sorted ascending, without duplicates or self-loops.
// Over several processes each has the rows of its own vertices only, at the same addresses in all of them,
// so the view means the same wherever it is shipped; rows of other processes read as zeros.

#include <cstdint>
#include <span>

namespace gossamer::graph {

#if defined(GOSSAMER_VERTEX_BITS) && GOSSAMER_VERTEX_BITS == 64
using vertex_id = std::uint64_t;
#else
using vertex_id = std::uint32_t;
#endif
inline constexpr vertex_id k_no_vertex = ~vertex_id{0};

/// One direction: row v is targets[offsets[v] .. offsets[v+1]).
struct adjacency {
  const std::uint64_t* offsets = nullptr;  // vertices + 1
  const vertex_id* targets = nullptr;

  std::uint64_t degree(vertex_id v) const { return offsets[v + 1] - offsets[v]; }
  std::span<const vertex_id> operator[](vertex_id v) const {
    return {targets + offsets[v], targets + offsets[v + 1]};
  }
};

struct graph_view {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;  // stored in `out`: directed: edges; undirected: twice the edges
  bool directed = false;
  adjacency out, in;       // undirected: the same rows
  /// Process p has the rows of vertices [process_bounds[p], process_bounds[p + 1]), multiples of
  /// k_vertex_alignment; to be read in every process. Null: all rows are here (one process).
  const std::uint64_t* process_bounds = nullptr;

  std::uint64_t edges() const { return directed ? arcs : arcs / 2; }
};

}  // namespace gossamer::graph
