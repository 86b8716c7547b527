// Brandes' algorithm with a source per core, for graphs that stay in the caches: each core works serially
// in arrays of its own, so nothing is shared but the graph, and the sums of the cores are added at the end.
// Encoding: depth is k_no_vertex until visited; `order` lists the visited vertices by depth and doubles as
// the queue; `quotient` is (1 + delta) / sigma. Only visited entries are reset between sources.
#include <algorithm>

#include "betweenness_ways.hpp"
#include "gossamer/memory/core_id.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

namespace {

struct workspace {
  std::vector<vertex_id> depth, order;
  std::vector<double> sigma, quotient, sum;

  void reserve(std::uint64_t vertices) {
    if (!depth.empty()) return;
    depth.assign(vertices, k_no_vertex);
    order.reserve(vertices);
    sigma.assign(vertices, 0);
    quotient.assign(vertices, 0);
    sum.assign(vertices, 0);
  }

  void count_paths(const adjacency& out, vertex_id source) {
    depth[source] = 0;
    sigma[source] = 1;
    order.push_back(source);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const vertex_id v = order[i];
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
  }

  void accumulate(const adjacency& out) {
    for (std::size_t i = order.size(); i-- > 0;) {
      const vertex_id v = order[i];
      const vertex_id below = depth[v] + 1;
      double quotients = 0;
      for (vertex_id w : out[v]) {
        if (depth[w] == below) quotients += quotient[w];
      }
      const double delta = sigma[v] * quotients;
      quotient[v] = (1 + delta) / sigma[v];
      if (i > 0) sum[v] += delta;
    }
  }

  void reset() {
    for (vertex_id v : order) depth[v] = k_no_vertex;
    order.clear();
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
    forall_chunks(done, end, 1, [g, all = on_heap.data(), slots = workspaces.handle()](std::uint64_t b, std::uint64_t e) {
      workspace& mine = slots.here();
      mine.reserve(g.vertices);
      for (; b < e; ++b) {
        mine.count_paths(g.out, all[b]);
        mine.accumulate(g.out);
        mine.reset();
      }
    });
    done = end;
    report(progress, "betweenness", done, sources.size());
  }
  return workspaces.fold(std::vector<double>(g.vertices, 0), [](std::vector<double> total, const workspace& w) {
    for (std::size_t v = 0; v < w.sum.size(); ++v) total[v] += w.sum[v];
    return total;
  });
}

}  // namespace gossamer::graph
