#include "gossamer/graph/questions/internal/lengths.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"

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

}  // namespace gossamer::graph
