// Brandes' algorithm as in the textbook: a set of open vertices, lists of predecessors, a stack.
#include "gossamer/graph/verify/internal/verify_betweenness.hpp"

#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wide_count.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"

namespace gossamer::graph {

namespace {

/// A copy of the arcs with their lengths: whole numbers where weights are, or where each counts 1.
template <class Length>
using length_lists = std::vector<std::vector<std::pair<vertex_id, Length>>>;

template <class Weight, class Length>
length_lists<Length> copy_of_arcs(const graph_view& g, bool weighted) {
  remote_row_cache out(g, g.out);
  length_lists<Length> all(g.vertices);
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    const auto row = out[static_cast<vertex_id>(v)];
    for (const vertex_id w : row) all[v].emplace_back(w, Length{1});
    if (!weighted || row.empty()) continue;
    const auto* const weights =
        reinterpret_cast<const Weight*>(out.weights(out.offsets()[v], out.offsets()[v + 1]));
    for (std::size_t i = 0; i < all[v].size(); ++i) all[v][i].second = static_cast<Length>(weights[i]);
  }
  return all;
}

using edge_sums = std::map<std::pair<vertex_id, vertex_id>, double>;

/// Adds the dependencies of one source to those of vertices and edges.
template <class Length>
void add_paths_from(const length_lists<Length>& arcs, vertex_id source, std::vector<double>& sum,
                    edge_sums& edges) {
  constexpr Length far = std::numeric_limits<Length>::max();
  std::vector<Length> length(arcs.size(), far);
  std::vector<wide_count> paths(arcs.size());
  std::vector<double> dependency(arcs.size(), 0);
  std::vector<std::vector<vertex_id>> before(arcs.size());
  std::vector<vertex_id> stack;
  std::set<std::pair<Length, vertex_id>> open{{Length{0}, source}};
  length[source] = 0;
  paths[source] = wide_count(1);
  while (!open.empty()) {
    const auto [at, v] = *open.begin();
    open.erase(open.begin());
    stack.push_back(v);
    for (const vertex_id u : before[v]) paths[v] += paths[u];
    for (const auto& [w, weight] : arcs[v]) {
      if (at + weight < length[w]) {
        open.erase({length[w], w});
        open.emplace(length[w] = at + weight, w);
        before[w].clear();
      }
      if (at + weight == length[w] && w != source) before[w].push_back(v);
    }
  }
  for (; !stack.empty(); stack.pop_back()) {
    const vertex_id w = stack.back();
    for (const vertex_id v : before[w]) {
      const double share = paths[v].over(paths[w]) * (1 + dependency[w]);
      dependency[v] += share;
      edges[{v, w}] += share;
    }
    if (w != source) sum[w] += dependency[w];
  }
}

check same_edges(const graph_view& g, edge_sums sums, double factor, const edge_scores& found) {
  if (found.from.size() != g.edges() || found.to.size() != g.edges() || found.scores.size() != g.edges())
    return wrong("scores of {} edges, the graph has {}", found.scores.size(), g.edges());
  remote_row_cache out(g, g.out);
  std::size_t at = 0;
  std::vector<double> expected;
  for (std::uint64_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    for (const vertex_id w : out[v]) {
      if (!g.directed && w < v) continue;
      if (found.from[at] != v || found.to[at] != w)
        return wrong("edge {} is told as {} - {}, it is {} - {}", at, found.from[at], found.to[at], v, w);
      expected.push_back((sums[{v, w}] + (g.directed ? 0 : sums[{w, v}])) * factor);
      ++at;
    }
  }
  const check c = compare_scores(expected, found.scores, 1e-9);
  return c ? c : wrong("of edges, by their number: {}", c.reason);
}

template <class Weight>
check agrees_with_textbook(const graph_view& g, std::span<const vertex_id> sources,
                           const betweenness_options& options, const betweenness_result& result) {
  using length = std::conditional_t<std::is_integral_v<Weight>, std::uint64_t, double>;
  const auto arcs = copy_of_arcs<Weight, length>(g, options.weighted && g.weights != weight_type::none);
  std::vector<double> sum(g.vertices, 0);
  edge_sums edges;
  for (const vertex_id s : sources) add_paths_from<length>(arcs, s, sum, edges);
  const double factor = g.directed ? options.scale : options.scale / 2;
  for (double& x : sum) x *= factor;
  if (check c = compare_scores(sum, result.scores, 1e-9); !c) return c;
  return options.edges ? same_edges(g, std::move(edges), factor, result.edges) : check{};
}

}  // namespace

check verify_betweenness_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                    const betweenness_options& options, const betweenness_result& result) {
  if (!options.weighted || g.weights == weight_type::none)
    return agrees_with_textbook<std::uint32_t>(g, sources, options, result);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return agrees_with_textbook<Weight>(g, sources, options, result);
  });
}

}  // namespace gossamer::graph
