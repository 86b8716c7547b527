// Check of a minimum spanning forest: J. B. Kruskal, "On the Shortest Spanning Subtree of a Graph", 1956.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

std::vector<weighted_edge> all_edges(const graph_view& g) {
  remote_row_cache out(g, g.out);
  std::vector<weighted_edge> edges;
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    const std::uint64_t begin = out.offsets()[v], end = out.offsets()[v + 1];
    const vertex_id* const targets = out.arcs(begin, end);
    const std::byte* const weights = g.weights == weight_type::none ? nullptr : out.weights(begin, end);
    for (std::uint64_t i = 0; i < end - begin; ++i) {
      if (targets[i] < v) continue;
      double weight = 1;
      if (weights != nullptr)
        weight = with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
          return static_cast<double>(reinterpret_cast<const Weight*>(weights)[i]);
        });
      edges.push_back({weight, static_cast<vertex_id>(v), targets[i]});
    }
  }
  return edges;
}

class disjoint_sets {
 public:
  explicit disjoint_sets(std::uint64_t n) : up_(n) { std::iota(up_.begin(), up_.end(), vertex_id{0}); }
  vertex_id find(vertex_id v) {
    while (up_[v] != v) v = up_[v] = up_[up_[v]];
    return v;
  }
  /// Returns whether they were apart.
  bool join(vertex_id a, vertex_id b) {
    a = find(a), b = find(b);
    up_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<vertex_id> up_;
};

}  // namespace

check verify_spanning_tree(const graph_view& g, const spanning_tree_result& result) {
  if (result.parent.size() != g.vertices)
    return wrong("{} parents for {} vertices", result.parent.size(), g.vertices);
  std::vector<weighted_edge> edges = all_edges(g);
  std::ranges::sort(edges, [](const weighted_edge& a, const weighted_edge& b) { return a.is_before(b); });
  disjoint_sets trees(g.vertices);
  std::uint64_t taken = 0;
  double weight = 0, size = 0;
  for (const weighted_edge& e : edges) {
    if (!trees.join(e.low, e.high)) continue;
    if (result.parent[e.low] != e.high && result.parent[e.high] != e.low)
      return wrong("the edge of {} and {} is in the forest of a serial run, not in this one", e.low, e.high);
    ++taken;
    weight += e.weight;
    size += std::abs(e.weight);
  }
  std::uint64_t roots = 0;
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    if (result.parent[v] >= g.vertices) return wrong("vertex {} has no parent", v);
    const bool is_root = result.parent[v] == v;
    if (is_root != (trees.find(static_cast<vertex_id>(v)) == v))
      return wrong("vertex {} is {}the smallest of its tree", v,
                   is_root ? "a root, and not " : "no root, and ");
    roots += is_root;
  }
  if (result.edges != taken || result.trees != roots || taken + roots != g.vertices)
    return wrong("{} edges, {} trees; a serial run says {} and {}", result.edges, result.trees, taken, roots);
  if (!(std::abs(result.weight - weight) <= 1e-9 * size))
    return wrong("weight {}, a serial run says {}", result.weight, weight);
  return {};
}

}  // namespace gossamer::graph
