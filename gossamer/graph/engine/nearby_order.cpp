#include "gossamer/graph/engine/nearby_order.hpp"

#include <cstddef>
#include <numeric>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"

namespace gossamer::graph {

namespace {

/// The positions of the sources, by vertex.
struct source_positions {
  std::vector<std::uint64_t> begin, positions;

  source_positions(std::uint64_t vertices, std::span<const vertex_id> sources)
      : begin(vertices + 2), positions(sources.size()) {
    for (const vertex_id s : sources) ++begin[s + 2];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::size_t i = 0; i < sources.size(); ++i) positions[begin[sources[i] + 1]++] = i;
  }
  std::span<const std::uint64_t> of(vertex_id v) const {
    return {positions.data() + begin[v], positions.data() + begin[v + 1]};
  }
};

}  // namespace

std::vector<std::uint64_t> nearby_order(const adjacency& rows, std::uint64_t vertices,
                                        std::span<const vertex_id> sources, std::size_t batch) {
  const source_positions sources_at(vertices, sources);
  std::vector<std::uint64_t> order;
  order.reserve(sources.size());
  std::vector<bool> taken(vertices);
  std::vector<vertex_id> grown;
  scan_meter meter(k_top_down);
  const auto take = [&](vertex_id v) {
    if (taken[v]) return;
    taken[v] = true;
    grown.push_back(v);
    const auto mine = sources_at.of(v);
    order.insert(order.end(), mine.begin(), mine.end());
  };
  std::size_t full = batch;  // size of the order at which the batch is full
  for (const vertex_id seed : sources) {
    grown.clear();
    take(seed);
    for (std::size_t i = 0; i < grown.size() && order.size() < full; ++i)
      scan_row(meter, directed_adjacency{rows}, grown[i], [&](vertex_id n) {
        if (order.size() < full) take(n);
      });
    while (order.size() >= full) full += batch;
  }
  return order;
}

}  // namespace gossamer::graph
