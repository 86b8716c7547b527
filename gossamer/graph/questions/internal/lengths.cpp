#include "gossamer/graph/questions/internal/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

void check_for_lengths(const graph& g, const asking& how) {
  const std::string& others = g.statistics().left_out;
  if (g.view().weights == weight_type::none && !others.empty() && !how.graph_name.empty())
    how.refuse(fmt::format(
        "expected a column of weights, found {}: --columns SOURCE,TARGET,{} takes one (bfs counts edges)",
        others, others.substr(0, others.find(','))));
}

std::shared_ptr<shortest_paths> search_of_lengths(const graph& g, const asking& how,
                                                  const sssp_options& options) {
  check_for_lengths(g, how);
  try {
    return std::make_shared<shortest_paths>(g.view(), options);
  } catch (const error&) {
    const auto bad = find_bad_length(g.view());
    if (!bad) throw;
    how.refuse(fmt::format("expected weights of 0 or more, as they are lengths, found {} from {} to {}",
                           bad->weight, g.names().label(bad->from), g.names().label(bad->to)));
  }
}

void check_any_weights(const graph& g, const asking& how) {
  check_for_lengths(g, how);
  if (const std::uint64_t loops = g.statistics().negative_loops; loops != 0)
    how.refuse(
        fmt::format("expected no negative cycle, found {}",
                    plural(loops, "self-loop with a negative weight", "self-loops with negative weights")));
  if (g.view().weights == weight_type::none) return;
  if (const auto bad = find_boundless_weight(g.view()))
    how.refuse(fmt::format("expected finite weights, found {} from {} to {}", bad->weight,
                           g.names().label(bad->from), g.names().label(bad->to)));
}

void refuse_cycle(const graph& g, std::optional<vertex_id> source, std::span<const vertex_id> cycle,
                  const asking& how) {
  if (const check right = how.checked([&] { return verify_negative_cycle(g.view(), source, cycle); }); !right)
    how.refuse("the negative cycle that was found is none: " + right.reason);
  constexpr std::size_t k_most_named = 12;
  std::string names;
  for (std::size_t i = 0; i < std::min(cycle.size(), k_most_named); ++i)
    names += g.names().label(cycle[i]) + " -> ";
  if (cycle.size() > k_most_named) names += fmt::format("… ({} vertices) -> ", cycle.size());
  how.refuse(fmt::format("expected no negative cycle, found {}{}", names, g.names().label(cycle.front())));
}

bellman_ford_result search_of_any_weights(const graph& g, vertex_id source, const asking& how) {
  check_any_weights(g, how);
  bellman_ford_result r = bellman_ford(g.view(), source, how.progress);
  if (!r.cycle.empty()) refuse_cycle(g, source, r.cycle, how);
  return r;
}

}  // namespace gossamer::graph
