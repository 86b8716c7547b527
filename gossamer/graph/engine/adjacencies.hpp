#pragma once
// The arcs that a kernel follows: those of one direction, or those of both directions of a directed graph. Trivially
// copyable; kernels are compiled once for each.

#include <algorithm>
#include <cstdint>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Arcs of one direction.
struct directed_adjacency {
  /// The rows of that direction.
  adjacency rows;

  /// Returns the number of arcs of v.
  std::uint64_t degree(vertex_id v) const { return rows.degree(v); }
  /// Calls f(n) for each other end n of the arcs of v.
  template <class F>
  void for_each(vertex_id v, F f) const {
    for (vertex_id n : rows[v]) f(n);
  }
  /// Returns the first neighbour for which f holds, or k_no_vertex. Adds the number of neighbours before it
  /// to `arcs_read`, or the number of all if there is none.
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& arcs_read, F f) const {
    const auto row = rows[v];
    const auto found = std::ranges::find_if(row, f);
    arcs_read += static_cast<std::uint64_t>(found - row.begin());
    return found == row.end() ? k_no_vertex : *found;
  }
  /// Calls f for a few neighbours of v, and of following vertices if v has fewer. Branch-free, for
  /// prefetches. Must not be called if it would read beyond the row before `last`.
  /// where it would read beyond the row before `last`.
  template <class F>
  void for_some(vertex_id v, vertex_id last, F f) const {
    constexpr std::uint64_t some = 4;
    const std::uint64_t at = rows.offsets[v];
    if (at + some > rows.offsets[last]) return;
    for (std::uint64_t i = 0; i < some; ++i) f(rows.targets[at + i]);
  }
  /// Prefetches the offset of v's row.
  void prefetch_degree(vertex_id v) const { __builtin_prefetch(rows.offsets + v); }
  /// Prefetches the beginning of v's row.
  void prefetch(vertex_id v) const { __builtin_prefetch(rows.targets + rows.offsets[v]); }
};

/// Outgoing, then incoming arcs: a neighbour along both occurs twice.
struct symmetric_adjacency {
  directed_adjacency out;  ///< outgoing arcs
  directed_adjacency in;  ///< incoming arcs

  /// Returns the number of arcs of v, in both directions.
  std::uint64_t degree(vertex_id v) const { return out.degree(v) + in.degree(v); }
  /// Calls f(n) for each other end n of the arcs of v.
  template <class F>
  void for_each(vertex_id v, F f) const {
    out.for_each(v, f);
    in.for_each(v, f);
  }
  /// Finds a neighbour as directed_adjacency::find() does, by the outgoing arcs first.
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& arcs_read, F f) const {
    const vertex_id n = out.find(v, arcs_read, f);
    return n != k_no_vertex ? n : in.find(v, arcs_read, f);
  }
  /// Calls f as directed_adjacency::for_some() does, for both directions.
  template <class F>
  void for_some(vertex_id v, vertex_id last, F f) const {
    out.for_some(v, last, f);
    in.for_some(v, last, f);
  }
  /// Prefetches the offsets of both rows of v.
  void prefetch_degree(vertex_id v) const {
    out.prefetch_degree(v);
    in.prefetch_degree(v);
  }
  /// Prefetches the beginnings of both rows of v.
  void prefetch(vertex_id v) const {
    out.prefetch(v);
    in.prefetch(v);
  }
};

/// Calls f(adjacency) with the arcs of a graph in both directions.
template <class F>
auto with_symmetric_adjacency(const graph_view& g, F f) {
  return g.directed ? f(symmetric_adjacency{{g.out}, {g.in}}) : f(directed_adjacency{g.out});
}

}  // namespace gossamer::graph
