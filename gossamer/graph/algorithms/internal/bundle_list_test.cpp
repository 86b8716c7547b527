#include "gossamer/graph/algorithms/internal/bundle_list.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"

namespace gossamer::graph {
namespace {

TEST(BundleList, TakesMemoryByTheBundlesAndNotByTheArcs) {
  constexpr std::uint64_t k_seed = 7, k_vertices = 100;
  SCOPED_TRACE(k_seed);
  xoshiro256 random(k_seed);
  bundle_list list;
  std::map<std::pair<vertex_id, vertex_id>, std::uint64_t> counted;
  for (std::uint64_t i = 0; i < 400'000; ++i) {
    const auto from = static_cast<vertex_id>(bounded(random, k_vertices)),
               to = static_cast<vertex_id>(bounded(random, k_vertices));
    list.add({from, to, 1 + i % 3});
    counted[{from, to}] += 1 + i % 3;
  }
  EXPECT_LE(list.bundles().capacity(), 4 * k_vertices * k_vertices);
  list.merge();
  ASSERT_EQ(list.bundles().size(), counted.size());
  auto expected = counted.begin();
  for (const arc_bundle& b : list.bundles()) {
    EXPECT_EQ(std::pair(b.from, b.to), expected->first);
    EXPECT_EQ(b.arcs, (expected++)->second);
  }
}

TEST(BundleList, AsksForMemoryBeforeItTakesSome) {
  ::setenv("GOSSAMER_MEMORY_LIMIT", "1", 1);
  bundle_list list;
  const auto add_many = [&] {
    for (vertex_id v = 0; v <= bundle_list::k_first_chunk; ++v) list.add({v, v + 1, 1});
  };
  EXPECT_THROW(add_many(), error);
  EXPECT_EQ(list.bundles().capacity(), bundle_list::k_first_chunk);
  ::unsetenv("GOSSAMER_MEMORY_LIMIT");
}

}  // namespace
}  // namespace gossamer::graph
