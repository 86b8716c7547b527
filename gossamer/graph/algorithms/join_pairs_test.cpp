#include "gossamer/graph/algorithms/join_pairs.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <span>
#include <tuple>
#include <utility>

#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

/// Returns the smallest vertex of each vertex's set: scans all pairs until nothing changes.
std::vector<vertex_id> joined_serially(std::uint64_t vertices, const vertex_pairs& pairs) {
  std::vector<vertex_id> least(vertices);
  std::iota(least.begin(), least.end(), vertex_id{0});
  for (bool has_changed = true; std::exchange(has_changed, false);)
    for (const auto& [a, b] : pairs) {
      if (least[a] == least[b]) continue;
      least[a] = least[b] = std::min(least[a], least[b]);
      has_changed = true;
    }
  return least;
}

class JoinPairs : public testing::TestWithParam<std::tuple<unsigned, std::uint64_t>> {};

// Process 0 joins up to `few` pairs alone; 0 makes all processes join them in rounds. Pairs may have any
// owners, and may repeat.
TEST_P(JoinPairs, NamesEachVertexByTheSmallestThatItIsJoinedWith) {
  const auto [core_count, few] = GetParam();
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    const std::uint64_t vertices = 3000;
    std::mt19937_64 random(seed);
    vertex_pairs pairs;
    for (unsigned i = 0; i < vertices / 2 * seed; ++i)
      pairs.emplace_back(static_cast<vertex_id>(random() % vertices),
                         static_cast<vertex_id>(random() % vertices));
    pairs.push_back(pairs.front());
    test::on_cores(core_count, [&] {
      const scoped_per_core<vertex_pairs> found;
      on_all_cores([found = found.handle(), pairs = std::span<const vertex_pairs::value_type>(pairs)] {
        for (std::size_t i = here(); i < pairs.size(); i += cores()) found.here().push_back(pairs[i]);
      });
      std::vector<std::uint64_t> bounds(cores() + 1);
      for (unsigned core = 0; core < cores(); ++core) bounds[core + 1] = vertices * (core + 1) / cores();
      const auto labels = join_pairs(vertices, bounds, found.handle(), few);
      EXPECT_EQ(copy_of(labels.handle()), joined_serially(vertices, pairs));
    });
  }
}
INSTANTIATE_TEST_SUITE_P(On, JoinPairs,
                         testing::Combine(testing::Values(1U, 3U),
                                          testing::Values(std::uint64_t{0}, std::uint64_t{1} << 18)));

TEST(JoinPairsOf, NothingLeavesEachVertexByItself) {
  test::on_cores(2, [] {
    const scoped_per_core<vertex_pairs> none;
    const auto labels = join_pairs(4, {0, 2, 4}, none.handle(), 0);
    EXPECT_EQ(copy_of(labels.handle()), (std::vector<vertex_id>{0, 1, 2, 3}));
  });
}

}  // namespace
}  // namespace gossamer::graph
