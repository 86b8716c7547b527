// One edge after the other is taken away, always one that is in the fewest triangles. Each of its triangles leaves the other two edges.
#include <algorithm>
#include <utility>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

class edge_peeling {
 public:
  explicit edge_peeling(const graph_view& g) : near_(g.vertices) {
    remote_row_cache rows(g, g.out);
    for (std::size_t v = 0; v < near_.size(); ++v)
      for (const vertex_id n : rows[static_cast<vertex_id>(v)]) {
        if (n < v) continue;
        near_[v].push_back({n, ends_.size()});
        near_[n].push_back({static_cast<vertex_id>(v), ends_.size()});
        ends_.emplace_back(static_cast<vertex_id>(v), n);
      }
    triangles_.resize(ends_.size());
    is_gone_.resize(ends_.size());
    for (std::size_t e = 0; e < ends_.size(); ++e)
      for_each_triangle(e, [&](std::size_t, std::size_t) { ++triangles_[e]; });
  }

  /// Returns the truss number of each edge.
  std::vector<vertex_id> run() {
    std::vector<vertex_id> truss(ends_.size());
    std::vector<std::vector<std::size_t>> edges;  // by triangles; one may lie where it was before, too
    const auto put = [&](std::size_t e) {
      edges.resize(std::max(edges.size(), triangles_[e] + 1));
      edges[triangles_[e]].push_back(e);
    };
    for (std::size_t e = 0; e < ends_.size(); ++e) put(e);
    for (std::size_t k = 0; k < edges.size(); ++k)
      while (!edges[k].empty()) {
        const std::size_t e = edges[k].back();
        edges[k].pop_back();
        if (is_gone_[e] || triangles_[e] != k) continue;
        truss[e] = static_cast<vertex_id>(k + 2);
        for_each_triangle(e, [&](std::size_t one, std::size_t other) {
          for (const std::size_t each : {one, other})
            if (triangles_[each] > k) --triangles_[each], put(each);
        });
        is_gone_[e] = true;
      }
    return truss;
  }
  /// Returns the ends of each edge.
  const std::vector<std::pair<vertex_id, vertex_id>>& ends() const { return ends_; }

 private:
  struct neighbour {
    vertex_id vertex;
    std::size_t edge;
  };

  /// Calls f(edge, edge) with the other edges of each triangle of an edge that is left.
  template <class F>
  void for_each_triangle(std::size_t e, F f) const {
    const auto [u, v] = ends_[e];
    auto of_u = near_[u].begin(), of_v = near_[v].begin();  // ascending
    while (of_u != near_[u].end() && of_v != near_[v].end()) {
      if (of_u->vertex == of_v->vertex && !is_gone_[of_u->edge] && !is_gone_[of_v->edge])
        f(of_u->edge, of_v->edge);
      const bool u_is_behind = of_u->vertex <= of_v->vertex, v_is_behind = of_v->vertex <= of_u->vertex;
      of_u += u_is_behind;
      of_v += v_is_behind;
    }
  }

  std::vector<std::vector<neighbour>> near_;
  std::vector<std::pair<vertex_id, vertex_id>> ends_;
  std::vector<std::size_t> triangles_;
  std::vector<bool> is_gone_;
};

}  // namespace

check verify_truss(const graph_view& g, const truss_result& result) {
  if (result.truss.size() != g.vertices || result.edges.size() != g.edges())
    return wrong("{} truss numbers for {} vertices, {} for {} edges", result.truss.size(), g.vertices,
                 result.edges.size(), g.edges());
  edge_peeling serial(g);
  const std::vector<vertex_id> edges = serial.run();
  std::vector<vertex_id> truss(g.vertices), numbers = edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [u, v] = serial.ends()[e];
    if (result.edges[e] != edges[e])
      return wrong("edge {}-{} has truss number {}, a serial run says {}", u, v, result.edges[e], edges[e]);
    for (const vertex_id end : {u, v}) truss[end] = std::max(truss[end], edges[e]);
  }
  if (const auto [found, right] = std::ranges::mismatch(result.truss, truss); found != result.truss.end())
    return wrong("vertex {} has truss number {}, its edges say {}", found - result.truss.begin(), *found,
                 *right);
  std::ranges::sort(numbers);
  const vertex_id largest = numbers.empty() ? 0 : numbers.back();
  const auto innermost = static_cast<std::uint64_t>(std::ranges::count(numbers, largest));
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (result.largest != largest || result.innermost != innermost || result.levels != numbers.size())
    return wrong("truss number {} of {} edges, {} levels; a serial run says {}, {}, {}", result.largest,
                 result.innermost, result.levels, largest, innermost, numbers.size());
  return {};
}

}  // namespace gossamer::graph
