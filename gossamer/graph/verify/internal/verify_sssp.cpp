// That the lengths are right follows from the rules: each vertex has a path of its length, by the parents; and no arc shortens one, so
// there is no shorter path. That holds for weights of any sign.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/store/weights.hpp"
#include "gossamer/graph/verify/internal/wrong.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {
namespace {

/// Checks that following the parents of every reached vertex ends at the source.
check leads_to_source(std::span<const vertex_id> parents, vertex_id source) {
  std::vector<bool> good(parents.size());
  good[source] = true;
  std::vector<vertex_id> path;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    for (auto at = static_cast<vertex_id>(v); parents[at] != k_no_vertex && !good[at]; at = parents[at]) {
      if (parents[at] >= parents.size())
        return wrong("the parent of {} is {}, which is no vertex", at, parents[at]);
      path.push_back(at);
      if (path.size() > parents.size()) return wrong("the parents of {} do not lead to the source", v);
    }
    if (!path.empty() && !good[parents[path.back()]])
      return wrong("the parents of {} do not lead to the source", v);
    for (; !path.empty(); path.pop_back()) good[path.back()] = true;
  }
  return {};
}

template <class Weight, class Length>
check keeps_rules(const graph_view& g, const sssp_result& result, std::span<const Length> length,
                  std::span<const vertex_id> parents) {
  constexpr Length far = std::is_integral_v<Length> ? std::numeric_limits<Length>::max()
                                                    : std::numeric_limits<Length>::infinity();
  remote_row_cache out(g, g.out), in(g, g.in);
  const auto for_arcs = [&](remote_row_cache& rows, vertex_id v, auto f) {
    const std::uint64_t begin = rows.offsets()[v], end = rows.offsets()[v + 1];
    const auto row = rows[v];
    const auto* const weights =
        g.weights == weight_type::none ? nullptr : reinterpret_cast<const Weight*>(rows.weights(begin, end));
    for (std::size_t i = 0; i < row.size(); ++i) f(row[i], weights == nullptr ? Weight{1} : weights[i]);
  };
  if (length[result.source] != 0 || parents[result.source] != result.source)
    return wrong("the source is not its own parent at length 0");
  if (check c = leads_to_source(parents, result.source); !c) return c;
  std::uint64_t reached = 0, arcs = 0;
  double farthest = 0;
  check found;
  for (std::uint64_t i = 0; i < g.vertices && found.ok; ++i) {
    const auto v = static_cast<vertex_id>(i);
    if ((length[v] == far) != (parents[v] == k_no_vertex))
      return wrong("{} has a length without a parent, or a parent without a length", v);
    if (length[v] == far) continue;
    ++reached;
    arcs += out.degree(v);
    farthest = std::max(farthest, static_cast<double>(length[v]));
    for_arcs(out, v, [&](vertex_id to, Weight w) {
      if (length[v] + w < length[to])
        found = wrong("the edge {} -> {} leads to a path of length {}, told {}", v, to,
                      static_cast<double>(length[v] + w), static_cast<double>(length[to]));
    });
    if (v == result.source) continue;
    bool has_edge = false;
    for_arcs(in, v, [&](vertex_id from, Weight w) {
      has_edge |= from == parents[v] && length[from] + w == length[v];
    });
    if (!has_edge) return wrong("the length of {} is not that of its parent {} and an edge", v, parents[v]);
  }
  if (!found.ok) return found;
  if (reached != result.reached)
    return wrong("{} vertices reached, a recount says {}", result.reached, reached);
  if (const std::uint64_t edges = g.directed ? arcs : arcs / 2; edges != result.edges)
    return wrong("{} edges traversed, a recount says {}", result.edges, edges);
  if (farthest != result.farthest)
    return wrong("the farthest vertex is told at {}, it is at {}", result.farthest, farthest);
  return {};
}

/// Checks that arcs lead round the cycle, that their weights are less than 0 in sum, and that the source leads there. Of reals a sum that is 0 but
/// for rounding is taken.
template <class Weight>
check is_negative_cycle(const graph_view& g, std::optional<vertex_id> source,
                        std::span<const vertex_id> cycle) {
  remote_row_cache out(g, g.out);
  if (cycle.size() < 2) return wrong("a cycle has two vertices or more, told {}", cycle.size());
  long double sum = 0, size = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const vertex_id v = cycle[i], next = cycle[(i + 1) % cycle.size()];
    if (v >= g.vertices || next >= g.vertices) return wrong("the cycle has a vertex {} that is none", v);
    const std::uint64_t begin = out.offsets()[v], end = out.offsets()[v + 1];
    const auto row = out[v];
    const auto* const weights = reinterpret_cast<const Weight*>(out.weights(begin, end));
    const auto at = std::ranges::find(row, next);
    if (at == row.end()) return wrong("no edge leads from {} to {}, which follow on the cycle", v, next);
    const auto w = static_cast<long double>(weights[at - row.begin()]);
    sum += w;
    size += w < 0 ? -w : w;
  }
  const long double rounding = std::is_integral_v<Weight> ? 0.0L : size * 1e-12L;
  if (!(sum < rounding)) return wrong("the cycle has a length of {}", static_cast<double>(sum));
  if (!source) return {};
  std::vector<bool> seen(g.vertices);
  std::vector<vertex_id> reached{*source};
  seen[*source] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const vertex_id n : out[reached[i]])
      if (!seen[n]) {
        seen[n] = true;
        reached.push_back(n);
      }
  if (!seen[cycle.front()]) return wrong("no path leads from the source to the cycle");
  return {};
}

}  // namespace

check verify_sssp(const graph_view& g, const sssp_result& result, const path_lengths& lengths,
                  std::span<const vertex_id> parents) {
  if (const auto* whole = std::get_if<std::vector<std::uint64_t>>(&lengths))
    return keeps_rules<std::uint32_t, std::uint64_t>(g, result, *whole, parents);
  const auto& real = std::get<std::vector<double>>(lengths);
  if (g.weights == weight_type::none) return keeps_rules<std::uint32_t, double>(g, result, real, parents);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return keeps_rules<Weight, double>(g, result, real, parents);
  });
}

check verify_negative_cycle(const graph_view& g, std::optional<vertex_id> source,
                            std::span<const vertex_id> cycle) {
  if (g.weights == weight_type::none) return wrong("edges have no weights, so none is negative");
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return is_negative_cycle<Weight>(g, source, cycle);
  });
}

}  // namespace gossamer::graph
