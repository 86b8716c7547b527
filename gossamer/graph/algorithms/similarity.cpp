// Measures of pairs by their common neighbours: both rows are ascending, so one pass over them finds the
// common elements.
#include "gossamer/graph/algorithms/similarity.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

namespace {

void refuse_directed(const graph_view& g) {
  if (g.directed) throw error("similarity: expected an undirected graph, found a directed one");
}

pair_similarity measure(const rows& all, vertex_id a, vertex_id b, scan_meter& meter) {
  const row first = all[a], second = all[b];
  pair_similarity r;
  for (auto x = first.begin(), y = second.begin(); x != first.end() && y != second.end();) {
    if (*x < *y) {
      ++x;
    } else if (*y < *x) {
      ++y;
    } else {
      const auto degree = static_cast<double>(all.degree(*x));
      ++r.common;
      if (degree > 1) r.adamic_adar += 1 / std::log(degree);
      r.resource_allocation += 1 / degree;
      ++x, ++y;
    }
  }
  const std::uint64_t either = first.size() + second.size() - r.common;
  if (either != 0) r.jaccard = static_cast<double>(r.common) / static_cast<double>(either);
  r.preferential_attachment = std::uint64_t{first.size()} * second.size();
  meter.rows += 2;
  meter.arcs += first.size() + second.size();
  return r;
}

}  // namespace

similarity_result similarity(const graph_view& g, const std::vector<vertex_id>& pairs,
                             const progress_hook& progress) {
  refuse_directed(g);
  similarity_result r;
  report(progress, "similarity", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  r.of.resize(pairs.size() / 2);
  constexpr std::uint64_t k_pairs_per_chunk = 256;
  local::forall_chunks(0, r.of.size(), k_pairs_per_chunk, [&](std::uint64_t i, std::uint64_t end) {
    scan_meter meter(k_hook);
    for (; i < end; ++i) r.of[i] = measure(g.out, pairs[2 * i], pairs[2 * i + 1], meter);
  });
  r.seconds = machine::seconds_since(begin);
  return r;
}

std::vector<vertex_id> vertices_with_common_neighbours(const graph_view& g, vertex_id v) {
  refuse_directed(g);
  std::vector<vertex_id> found;
  scan_meter meter(k_top_down);
  const row neighbours = g.out[v];
  for (const vertex_id n : neighbours) {
    const row second_neighbours = g.out[n];
    ++meter.rows;
    meter.arcs += second_neighbours.size();
    found.insert(found.end(), second_neighbours.begin(), second_neighbours.end());
  }
  std::ranges::sort(found);
  const auto duplicates = std::ranges::unique(found);
  found.erase(duplicates.begin(), duplicates.end());
  std::erase(found, v);
  return found;
}

}  // namespace gossamer::graph
