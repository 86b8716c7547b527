// Brandes' algorithm with a source per core, for graphs that fit the caches. Each core works serially in
// arrays of its own; only the graph is shared. The sums of the cores are added at the end.
// Encoding: depth is k_no_vertex until visited. `order` lists the visited vertices level by level, and is
//   also the queue. The backward pass pulls from `active_values`: (1 + delta) / sigma of the level below, and
//   0 elsewhere, so an edge needs no test (as in betweenness_levels.cpp). Only visited entries are reset
//   between sources.
#include <limits>
#include <vector>

#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/path_count.hpp"
#include "gossamer/graph/algorithms/internal/sources_per_core.hpp"
#include "gossamer/graph/engine/pull_sums.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"

namespace gossamer::graph {

namespace {

struct workspace {
  std::vector<vertex_id> depth, order;
  std::vector<std::size_t> level_begin;  // of each level in `order`
  std::vector<double> sigma, active_values, sums;
  std::uint64_t arcs = 0;  // arcs followed forward from this source

  void search(const graph_view& g, const adjacency& out, vertex_id source) {
    reserve(g.vertices);
    count_paths(out, source);
    accumulate(puller(out, g.arcs));
    reset();
  }

  void reserve(std::uint64_t vertices) {
    if (!depth.empty()) return;
    depth.assign(vertices, k_no_vertex);
    order.reserve(vertices);
    sigma.assign(vertices, 0);
    active_values.assign(vertices, 0);
    sums.assign(vertices, 0);
  }

  void count_paths(const adjacency& out, vertex_id source) {
    depth[source] = 0;
    sigma[source] = 1;
    order.assign(1, source);
    level_begin.assign(1, 0);
    for (std::size_t begin = 0; begin < order.size(); begin = level_begin.back()) {
      const std::size_t end = order.size();
      for (std::size_t i = begin; i < end; ++i) push_paths(out, order[i]);
      level_begin.push_back(end);
    }
  }

  void push_paths(const adjacency& out, vertex_id v) {
    const vertex_id below = depth[v] + 1;
    const double paths = sigma[v];
    const auto row = out[v];
    arcs += row.size();
    for (vertex_id w : row) {
      if (depth[w] == k_no_vertex) {
        depth[w] = below;
        sigma[w] = paths;
        order.push_back(w);
      } else if (depth[w] == below) {
        sigma[w] += paths;
      }
    }
  }

  std::span<const vertex_id> level(std::size_t l) const {
    return {order.data() + level_begin[l], order.data() + level_begin[l + 1]};
  }

  /// Computes the dependencies, from the deepest level back to level 1: the source gets none.
  void accumulate(const puller& out) {
    const std::size_t levels = level_begin.size() - 1;
    for (std::size_t l = levels; l-- > 1;) {
      for (vertex_id v : level(l)) {
        const double delta = sigma[v] * out.sum(active_values.data(), v);
        sums[v] += sigma[v] <= k_most_paths ? delta : std::numeric_limits<double>::quiet_NaN();
        sigma[v] = (1 + delta) / sigma[v];
      }
      if (l + 1 < levels) clear_active_values(l + 1);
      for (vertex_id v : level(l)) active_values[v] = sigma[v];
    }
    if (levels > 1) clear_active_values(1);
  }
  void clear_active_values(std::size_t l) {
    for (vertex_id v : level(l)) active_values[v] = 0;
  }

  void reset() {
    for (vertex_id v : order) depth[v] = k_no_vertex;
    for (const scan_cost& c : {k_push, k_pull}) {
      scan_meter meter(c);
      meter.rows = order.size();
      meter.arcs = arcs;
    }
    arcs = 0;
  }
};

}  // namespace

std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          kept_sources& kept, const progress_hook& progress) {
  return sources_per_core<workspace>::sums(g, false, sources, g.vertices, kept, progress);
}

}  // namespace gossamer::graph
