#pragma once
// A search that gives each reached vertex a parent: shared by bfs.cpp and components.cpp. Encoding: parent[v]
// is k_no_vertex until v has a parent.

#include <cstdint>
#include <vector>

#include "gossamer/graph/engine/edge_map.hpp"
#include "gossamer/graph/ingest/progress.hpp"

namespace gossamer::graph {

/// Takes the first proposed parent.
struct take_first {
  bool operator()(vertex_id& parent, vertex_id, vertex_id offered) const {
    if (parent != k_no_vertex) return false;
    parent = offered;
    return true;
  }
};

/// A vertex takes the first parent that is proposed, or that it finds in the frontier.
struct adopt {
  array<vertex_id> values;
  [[no_unique_address]] take_first push = {};
  static constexpr bool k_asks_front = true;
  static constexpr scan_cost k_pull_cost = k_bottom_up;

  vertex_id offer(vertex_id v, vertex_id) const { return v; }
  template <class Front>
  bool pull(vertex_id& parent, vertex_id v, Front& front) const {
    const vertex_id found = front.first(v);
    if (found == k_no_vertex) return false;
    parent = found;
    return true;
  }
  static void correct(vertex_id& parent, vertex_id offered) { parent = offered; }
};

/// The search. Collective over all cores; main fiber. Rows: directed_adjacency or symmetric_adjacency.
template <class Rows>
class parent_search {
 public:
  parent_search(const graph_view& g, const Rows& forward, const Rows& backward,
                const traversal_policy& policy = {})
      : go_(g, policy),
        forward_(forward),
        backward_(backward),
        parent_(go_.values<vertex_id>()),
        levels_(go_, backward) {}

  /// Searches from `source` and returns the number of vertices of each level. Stops early after max_levels.
  std::vector<std::uint64_t> run(vertex_id source, std::uint64_t max_levels, const progress_hook& progress) {
    levels_.clear([parent = parents()] { fill(parent.local(), k_no_vertex); });
    levels_.start(forward_, parents(), source, source);
    for (std::uint64_t reported = 0; levels_.size() > 0 && reported < max_levels;) {
      edge_map(go_, forward_, backward_, levels_, adopt{parents()}, max_levels - reported);
      while (reported < levels_.sizes().size()) report(progress, "bfs", ++reported, 0);
    }
    return levels_.sizes();
  }

  const traversal& go() const { return go_; }
  array<vertex_id> parents() const { return parent_.handle(); }
  const vertex_levels& levels() const { return levels_; }

 private:
  traversal go_;
  Rows forward_, backward_;
  scoped_array<vertex_id> parent_;
  vertex_levels levels_;
};

}  // namespace gossamer::graph
