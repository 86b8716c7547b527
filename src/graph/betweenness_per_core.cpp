// Brandes' algorithm with a source per core, for graphs that stay in the caches: each core works serially
// in arrays of its own, so nothing is shared but the graph, and the sums of the cores are added at the end.
// Encoding: depth is k_no_vertex until visited; `order` lists the visited vertices level by level and doubles
// as the queue. The backward pass gathers from `carried`, which has (1 + delta) / sigma of the level below
// and 0 elsewhere, so that it needs no test per edge (as in betweenness_levels.cpp). Only visited entries
// are reset between sources.
#include <algorithm>

#include "betweenness_ways.hpp"
#include "gather.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

namespace {

struct workspace {
  std::vector<vertex_id> depth, order;
  std::vector<std::size_t> level_begin;  // of each level in `order`
  std::vector<double> sigma, carried, sum;

  void reserve(std::uint64_t vertices) {
    if (!depth.empty()) return;
    depth.assign(vertices, k_no_vertex);
    order.reserve(vertices);
    sigma.assign(vertices, 0);
    carried.assign(vertices, 0);
    sum.assign(vertices, 0);
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
    for (vertex_id w : out[v]) {
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

  /// The source, alone on level 0, gets no dependency of its own.
  void accumulate(const puller& out) {
    const std::size_t levels = level_begin.size() - 1;
    for (std::size_t l = levels; l-- > 1;) {
      for (vertex_id v : level(l)) {
        const double delta = sigma[v] * out.sum(carried.data(), v);
        sum[v] += delta;
        sigma[v] = (1 + delta) / sigma[v];
      }
      if (l + 1 < levels) clear_carried(l + 1);
      for (vertex_id v : level(l)) carried[v] = sigma[v];
    }
    if (levels > 1) clear_carried(1);
  }
  void clear_carried(std::size_t l) {
    for (vertex_id v : level(l)) carried[v] = 0;
  }

  void reset() {
    for (vertex_id v : order) depth[v] = k_no_vertex;
  }
};

/// Sources between two reports: about a quarter of a second of work per core.
std::uint64_t batch_of(const graph_view& g) {
  return std::max<std::uint64_t>(1, 50'000'000 / (g.arcs + g.vertices + 1)) * cores();
}

}  // namespace

std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          const progress_hook& progress) {
  const std::vector<vertex_id> on_heap(sources.begin(), sources.end());  // callers may hold them on a stack
  scoped_per_core<workspace> workspaces;
  const std::uint64_t batch = batch_of(g);
  for (std::uint64_t done = 0; done < sources.size();) {
    const std::uint64_t end = std::min<std::uint64_t>(done + batch, sources.size());
    forall_chunks(done, end, 1,
                  [g, all = on_heap.data(), slots = workspaces.handle()](std::uint64_t b, std::uint64_t e) {
                    workspace& mine = slots.here();
                    mine.reserve(g.vertices);
                    for (; b < e; ++b) {
                      mine.count_paths(g.out, all[b]);
                      mine.accumulate(puller(g.out, g.arcs));
                      mine.reset();
                    }
                  });
    done = end;
    report(progress, "betweenness", done, sources.size());
  }
  return workspaces.fold(std::vector<double>(g.vertices, 0),
                         [](std::vector<double> total, const workspace& w) {
                           for (std::size_t v = 0; v < w.sum.size(); ++v) total[v] += w.sum[v];
                           return total;
                         });
}

}  // namespace gossamer::graph
