// Check of a condensation: a map of pairs of components, which counts the arcs of all rows one after the other.
#include <map>
#include <utility>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

check verify_condensation(const graph_view& g, std::span<const vertex_id> component,
                          const condensed_arcs& result) {
  if (result.to.size() != result.from.size() || result.arcs.size() != result.from.size())
    return wrong("{} targets and {} numbers for {} sources", result.to.size(), result.arcs.size(),
                 result.from.size());
  std::map<std::pair<vertex_id, vertex_id>, std::uint64_t> counted;
  remote_row_cache rows(g, g.out);
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    for (const vertex_id n : rows[static_cast<vertex_id>(v)])
      if (component[v] != component[n]) ++counted[{component[v], component[n]}];
  if (counted.size() != result.from.size())
    return wrong("{} pairs of components; a serial pass finds {}", result.from.size(), counted.size());
  std::size_t i = 0;
  for (const auto& [ends, arcs] : counted) {
    if (ends != std::pair(result.from[i], result.to[i]) || arcs != result.arcs[i])
      return wrong("{} arcs lead from {} to {} in row {}; a serial pass finds {} from {} to {}",
                   result.arcs[i], result.from[i], result.to[i], i, arcs, ends.first, ends.second);
    ++i;
  }
  return {};
}

}  // namespace gossamer::graph
