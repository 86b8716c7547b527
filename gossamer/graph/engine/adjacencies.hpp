#pragma once
// The arcs that a kernel follows: those of one direction, or both directions of a directed graph as if it had none. Trivially
// copyable; kernels are compiled once for each.

#include <algorithm>
#include <cstdint>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Arcs of one direction.
struct directed_adjacency {
  /// Of the direction.
  adjacency rows;

  /// Returns how many arcs v has.
  std::uint64_t degree(vertex_id v) const { return rows.degree(v); }
  /// Calls f(n) for each other end n of the arcs of v.
  template <class F>
  void for_each(vertex_id v, F f) const {
    for (vertex_id n : rows[v]) f(n);
  }
  /// Returns the first neighbour for which f holds, or k_no_vertex. Adds the number of neighbours before it
  /// to `asked` (of all if there is none).
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& asked, F f) const {
    const auto row = rows[v];
    const auto found = std::ranges::find_if(row, f);
    asked += static_cast<std::uint64_t>(found - row.begin());
    return found == row.end() ? k_no_vertex : *found;
  }
  /// Calls f for a few neighbours of v, and of vertices that follow where it has not so many: without a branch, for hints to the
  /// processor. Not where it would look beyond the row before `last`.
  template <class F>
  void for_some(vertex_id v, vertex_id last, F f) const {
    constexpr std::uint64_t some = 4;
    const std::uint64_t at = rows.offsets[v];
    if (at + some > rows.offsets[last]) return;
    for (std::uint64_t i = 0; i < some; ++i) f(rows.targets[at + i]);
  }
  /// Fetches where the row of v lies, then the beginning of the row.
  void prefetch_degree(vertex_id v) const { __builtin_prefetch(rows.offsets + v); }
  /// Fetches the beginning of the row of v.
  void prefetch(vertex_id v) const { __builtin_prefetch(rows.targets + rows.offsets[v]); }
};

/// Outgoing and incoming arcs, one row after the other: a neighbour by both comes twice.
struct symmetric_adjacency {
  directed_adjacency out;  ///< outgoing arcs
  directed_adjacency in;  ///< incoming arcs

  /// Returns how many arcs v has, of both directions.
  std::uint64_t degree(vertex_id v) const { return out.degree(v) + in.degree(v); }
  /// Calls f(n) for each other end n of the arcs of v.
  template <class F>
  void for_each(vertex_id v, F f) const {
    out.for_each(v, f);
    in.for_each(v, f);
  }
  /// Does the same as directed_adjacency::find(), by the outgoing arcs first.
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& asked, F f) const {
    const vertex_id n = out.find(v, asked, f);
    return n != k_no_vertex ? n : in.find(v, asked, f);
  }
  /// Does the same as directed_adjacency::for_some(), for both directions.
  template <class F>
  void for_some(vertex_id v, vertex_id last, F f) const {
    out.for_some(v, last, f);
    in.for_some(v, last, f);
  }
  /// Fetches where both rows of v lie.
  void prefetch_degree(vertex_id v) const {
    out.prefetch_degree(v);
    in.prefetch_degree(v);
  }
  /// Fetches the beginnings of both rows of v.
  void prefetch(vertex_id v) const {
    out.prefetch(v);
    in.prefetch(v);
  }
};

/// Calls f(adjacency) with the arcs of a graph, direction ignored.
template <class F>
auto with_symmetric_adjacency(const graph_view& g, F f) {
  return g.directed ? f(symmetric_adjacency{{g.out}, {g.in}}) : f(directed_adjacency{g.out});
}

}  // namespace gossamer::graph
