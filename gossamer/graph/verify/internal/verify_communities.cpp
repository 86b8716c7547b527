// Communities are right by rules: modularity is what its definition says, in long double; by Leiden the edges inside join all of a community; by
// Leiden and Louvain two communities together have no more modularity than apart; a label is one that has the most weight beside it.
#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/compare_components.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

/// Calls f(neighbour, weight) for the outgoing arcs of v.
template <class F>
void for_weighted(remote_row_cache& rows, weight_type type, vertex_id v, F f) {
  const auto row = rows[v];
  if (type == weight_type::none) {
    for (const vertex_id n : row) f(n, 1.0);
    return;
  }
  with_weight_type(type, [&]<class Weight>(std::type_identity<Weight>) {
    const auto* const weights =
        reinterpret_cast<const Weight*>(rows.weights(rows.offsets()[v], rows.offsets()[v + 1]));
    for (std::size_t i = 0; i < row.size(); ++i) f(row[i], static_cast<double>(weights[i]));
  });
}

vertex_id top_of(std::vector<vertex_id>& up, vertex_id v) {
  while (up[v] != v) v = up[v] = up[up[v]];
  return v;
}

check check_labels(const graph_view& g, std::span<const vertex_id> community) {
  std::vector<std::map<vertex_id, long double>> beside(g.vertices);
  remote_row_cache out(g, g.out);
  for (std::size_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    for_weighted(out, g.weights, v, [&](vertex_id n, double weight) {
      beside[v][community[n]] += weight;
      if (g.directed) beside[n][community[v]] += weight;
    });
  }
  for (std::size_t v = 0; v < g.vertices; ++v) {
    const auto own = beside[v].find(community[v]);
    const long double has = own == beside[v].end() ? 0 : own->second;
    for (const auto& [label, weight] : beside[v])
      if (weight > has + 1e-9L * (1 + has))
        return wrong("vertex {} is in community {}, beside more of {}", v, community[v], label);
  }
  return {};
}

}  // namespace

check verify_communities(const graph_view& g, const community_options& options,
                         const communities_result& result) {
  const std::vector<vertex_id>& community = result.groups.component;
  if (community.size() != g.vertices)
    return wrong("{} communities for {} vertices", community.size(), g.vertices);
  std::vector<vertex_id> least(g.vertices, k_no_vertex);
  for (std::size_t v = 0; v < community.size(); ++v) {
    if (community[v] >= g.vertices)
      return wrong("the community of {} is {}, which is no vertex", v, community[v]);
    if (least[community[v]] == k_no_vertex) least[community[v]] = static_cast<vertex_id>(v);
    if (least[community[v]] != community[v])
      return wrong("the community {} has the smaller vertex {}", community[v], least[community[v]]);
  }
  if (check c = compare_components(community, result.groups); !c) return c;

  std::vector<long double> leaving(g.vertices), entering(g.vertices);  // of communities
  std::map<std::pair<vertex_id, vertex_id>, long double> between;
  std::vector<vertex_id> up(g.vertices);
  for (std::size_t v = 0; v < up.size(); ++v) up[v] = static_cast<vertex_id>(v);
  long double inside = 0, all = 0;
  remote_row_cache out(g, g.out);
  for (std::size_t i = 0; i < g.vertices; ++i) {
    const auto v = static_cast<vertex_id>(i);
    const vertex_id from = community[v];
    for_weighted(out, g.weights, v, [&](vertex_id n, double weight) {
      const vertex_id to = community[n];
      all += weight;
      leaving[from] += weight;
      entering[to] += weight;
      if (from == to) {
        inside += weight;
        const vertex_id a = top_of(up, v), b = top_of(up, n);
        up[std::max(a, b)] = std::min(a, b);
      } else {
        between[{std::min(from, to), std::max(from, to)}] += weight;
      }
    });
  }
  if (result.modularity.has_value() != (all > 0))
    return wrong("modularity is {}told, with weight {:g}", result.modularity ? "" : "not ",
                 static_cast<double>(all));
  if (all > 0) {
    long double modularity = inside / all;
    for (std::size_t c = 0; c < leaving.size(); ++c)
      modularity -= options.resolution * (leaving[c] / all) * (entering[c] / all);
    const auto expected = static_cast<double>(modularity);
    if (!(std::abs(expected - *result.modularity) <= 1e-8 * (1 + options.resolution)))
      return wrong("modularity is {:.17g}, a recount says {:.17g}", *result.modularity, expected);
  }
  if (options.method == community_method::labels)
    return result.converged ? check_labels(g, community) : check{};
  if (options.method == community_method::leiden)
    for (std::size_t v = 0; v < community.size(); ++v)
      if (const vertex_id top = top_of(up, static_cast<vertex_id>(v)); top != community[v])
        return wrong("the community of {} is not connected: {} has no path to {} in it", v, v, community[v]);
  for (const auto& [pair, weight] : between) {
    const auto [a, b] = pair;
    const long double gain = weight / all - options.resolution *
                                                (leaving[a] * entering[b] + leaving[b] * entering[a]) /
                                                (all * all);
    if (all > 0 && gain > 1e-8L)
      return wrong("the communities {} and {} have {:.3g} more modularity as one", a, b,
                   static_cast<double>(gain));
  }
  return {};
}

}  // namespace gossamer::graph
