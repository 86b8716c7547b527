// Check of a condensation: a map of pairs of components, which counts the arcs of all rows one after the other, in the order that was found; of that
// order, that it has each component once, and that each is as far behind the first ones as the arcs before it say.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

/// Returns the places of components in an order that has each of them once; empty: it has not.
std::vector<vertex_id> places_in(std::span<const vertex_id> order, std::span<const vertex_id> component) {
  std::vector<vertex_id> place(component.size(), k_no_vertex);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const vertex_id c = order[i];
    if (c >= place.size() || component[c] != c || place[c] != k_no_vertex) return {};
    place[c] = static_cast<vertex_id>(i);
  }
  for (const vertex_id c : component)
    if (place[c] == k_no_vertex) return {};
  return place;
}

/// Checks that components come by levels, then by their names. `place` has their places in the order, `arcs` are sorted by those.
check verify_levels(const condensed_arcs& result, const std::vector<vertex_id>& place) {
  std::vector<vertex_id> level(result.order.size());
  for (std::size_t i = 0; i < result.from.size(); ++i) {
    const vertex_id from = place[result.from[i]], to = place[result.to[i]];
    if (from >= to)
      return wrong("component {} comes before {}, which leads to it", result.to[i], result.from[i]);
    level[to] = std::max(level[to], level[from] + 1);
  }
  for (std::size_t i = 1; i < level.size(); ++i)
    if (std::pair(level[i - 1], result.order[i - 1]) > std::pair(level[i], result.order[i]))
      return wrong("component {} of level {} comes before {} of level {}", result.order[i - 1], level[i - 1],
                   result.order[i], level[i]);
  return {};
}

}  // namespace

check verify_condensation(const graph_view& g, std::span<const vertex_id> component,
                          const condensed_arcs& result) {
  if (result.to.size() != result.from.size() || result.arcs.size() != result.from.size())
    return wrong("{} targets and {} numbers for {} sources", result.to.size(), result.arcs.size(),
                 result.from.size());
  const std::vector<vertex_id> place = places_in(result.order, component);
  if (place.size() != g.vertices) return wrong("the order has not each component once");
  std::map<std::pair<vertex_id, vertex_id>, std::uint64_t> counted;  // by places
  remote_row_cache rows(g, g.out);
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    for (const vertex_id n : rows[static_cast<vertex_id>(v)])
      if (component[v] != component[n]) ++counted[{place[component[v]], place[component[n]]}];
  if (counted.size() != result.from.size())
    return wrong("{} pairs of components; a serial pass finds {}", result.from.size(), counted.size());
  std::size_t i = 0;
  for (const auto& [places, arcs] : counted) {
    const vertex_id from = result.order[places.first], to = result.order[places.second];
    if (from != result.from[i] || to != result.to[i] || arcs != result.arcs[i])
      return wrong("{} arcs lead from {} to {} in row {}; a serial pass finds {} from {} to {}",
                   result.arcs[i], result.from[i], result.to[i], i, arcs, from, to);
    ++i;
  }
  return verify_levels(result, place);
}

}  // namespace gossamer::graph
