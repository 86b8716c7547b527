#include "gossamer/graph/build/internal/check_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_none = ~std::uint64_t{0};

// Returns the first arc of this process with an infinite weight, or k_none.
std::uint64_t first_infinite(const graph_view& g) {
  const vertex_range own = own_vertices(g);
  local::scoped_per_core<std::uint64_t> arcs;  // plus one; 0: none
  local::forall_chunks(g.out.offsets[own.begin], g.out.offsets[own.end], 1 << 14,
                       [all = g.out.weights_as<double>(), arcs = arcs.handle()](std::uint64_t b, auto e) {
                         const auto* const bad =
                             std::find_if(all + b, all + e, [](double w) { return std::isinf(w); });
                         const auto at = static_cast<std::uint64_t>(bad - all) + 1;
                         std::uint64_t& first = arcs.here();
                         if (bad != all + e && (first == 0 || at < first)) first = at;
                       });
  // 0 - 1 is k_none
  return arcs.fold(k_none, [](std::uint64_t least, std::uint64_t each) { return std::min(least, each - 1); });
}

edge edge_at(const graph_view& g, std::uint64_t arc) {
  const vertex_range own = own_vertices(g);
  const auto* const after = std::upper_bound(g.out.offsets + own.begin, g.out.offsets + own.end, arc);
  return {static_cast<vertex_id>(after - g.out.offsets - 1), g.out.targets[arc]};
}

}  // namespace

void check_sums(const graph& g, const std::string& source) {
  const graph_view v = g.view();
  if (v.weights != weight_type::float64 || g.statistics().duplicates == 0) return;
  scoped_per_process<std::vector<edge>> found;  // in each process the first one, or none
  on_all_processes([v, found = found.handle()] {
    if (const std::uint64_t arc = first_infinite(v); arc != k_none) found.here() = {edge_at(v, arc)};
  });
  on_all_processes([found = found.handle()] {
    std::vector<edge> all;
    for (const auto& of_process : to_first(found.here()))
      all.insert(all.end(), of_process.begin(), of_process.end());
    found.here() = std::move(all);
  });
  const std::vector<edge>& all = found.here();
  if (all.empty()) return;
  throw error(fmt::format("{}: parallel edges of {} and {} add up beyond doubles", source,
                          g.names().label(all.front().from), g.names().label(all.front().to)));
}

}  // namespace gossamer::graph
