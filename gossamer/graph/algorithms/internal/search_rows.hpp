#pragma once
// The arcs that a search follows, and what its parts share: driver (direction_optimising.hpp) and frontier
// (frontier_lists.hpp, frontier_queue.hpp).

#include <algorithm>
#include <cstdint>

#include "gossamer/graph/distributed/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Of one direction; or (both_ways) of a directed graph as if it had none.
struct one_way {
  adjacency rows;

  std::uint64_t degree(vertex_id v) const { return rows.degree(v); }
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
  void prefetch(vertex_id v) const { __builtin_prefetch(rows.targets + rows.offsets[v]); }
};
struct both_ways {
  one_way out, in;

  std::uint64_t degree(vertex_id v) const { return out.degree(v) + in.degree(v); }
  template <class F>
  void for_each(vertex_id v, F f) const {
    out.for_each(v, f);
    in.for_each(v, f);
  }
  template <class F>
  vertex_id find(vertex_id v, std::uint64_t& asked, F f) const {
    const vertex_id n = out.find(v, asked, f);
    return n != k_no_vertex ? n : in.find(v, asked, f);
  }
  void prefetch(vertex_id v) const {
    out.prefetch(v);
    in.prefetch(v);
  }
};

/// What a core knows of the level that was last found.
struct level_facts {
  std::uint64_t found = 0;  // vertices that it adopted, or whose pieces it went through
  std::uint64_t edges = 0;  // estimated degrees of its vertices in the frontier
};

/// Of how many vertices of a frontier each core looks up the degree, to estimate its edges.
inline constexpr std::uint64_t k_degrees_sampled = 512;

/// Handles to what driver and frontier share.
template <class Rows>
struct search_state {
  graph_view graph;
  Rows forward;
  array<vertex_id> parent;
  array<std::uint64_t> visited;
  per_core<level_facts> facts;
};

}  // namespace gossamer::graph
