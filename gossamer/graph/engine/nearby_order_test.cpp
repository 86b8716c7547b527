#include "gossamer/graph/engine/nearby_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "support/graphs.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using positions = std::vector<std::uint64_t>;

positions order_of(const csr& rows, std::span<const vertex_id> sources, std::size_t batch) {
  positions order;
  test::on_cores(1, [&] { order = nearby_order(rows.view().out, rows.view().vertices, sources, batch); });
  return order;
}

TEST(NearbyOrder, HasEachPositionOnce) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    xoshiro256 random(seed);
    const std::uint64_t n = 1 + bounded(random, 500);
    const csr rows(n, test::uniform_edges(n, bounded(random, 1000), seed), seed % 2 == 0);
    std::vector<vertex_id> sources;
    for (std::uint64_t i = bounded(random, 400); i > 0; --i)
      sources.push_back(static_cast<vertex_id>(bounded(random, n)));  // some twice
    positions order = order_of(rows, sources, 1 + bounded(random, 64)), all(sources.size());
    std::iota(all.begin(), all.end(), 0U);
    std::ranges::sort(order);
    EXPECT_EQ(order, all) << "seed " << seed;
  }
}

// 64 vertices around the first of a grid of 64 columns: in rows of the grid they would be up to 63 apart.
TEST(NearbyOrder, PutsNeighboursIntoABatch) {
  const csr rows(64 * 64, test::grid_edges(64, 64), false);
  std::vector<vertex_id> sources(64 * 64);
  std::iota(sources.begin(), sources.end(), vertex_id{0});
  const positions order = order_of(rows, sources, 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_LE(order[i] / 64 + order[i] % 64, 11U);
}

}  // namespace
}  // namespace gossamer::graph
