#include "gossamer/graph/algorithms/biconnected.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::edge_list;
using test::on_cores;

class Biconnected : public test::on_graphs {};

TEST_P(Biconnected, BlocksAreThoseOfADepthFirstSearch) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)biconnected_components(rows.view()), error);
      return;
    }
    const check c = verify_biconnected(rows.view(), biconnected_components(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Biconnected);

using numbers = std::vector<vertex_id>;
constexpr vertex_id k_nothing = k_no_vertex;

TEST(BiconnectedOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_EQ(biconnected_components(rows.view()).blocks, 0U); });
}

TEST(BiconnectedOf, AVertexWithoutEdgesIsInNoBlock) {
  const csr rows(1, {}, false);
  on_cores(2, [&] {
    const biconnected_result r = biconnected_components(rows.view());
    EXPECT_EQ(r.blocks, 0U);
    EXPECT_EQ(r.memberships, numbers({0}));
  });
}

// Two triangles with a common vertex, a path that hangs from one of them, and a separate edge.
TEST(BiconnectedOf, BlocksHangOnTheVerticesThatTheyShare) {
  const csr rows(8, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}, {4, 5}, {7, 6}}, false);
  on_cores(2, [&] {
    const biconnected_result r = biconnected_components(rows.view());
    EXPECT_EQ(r.memberships, numbers({1, 1, 2, 1, 2, 1, 1, 1}));
    EXPECT_EQ(r.block, numbers({k_nothing, 1, 1, 3, 3, 5, k_nothing, 7}));
    EXPECT_EQ(r.head, numbers({k_nothing, 0, 0, 2, 2, 4, k_nothing, 6}));
    EXPECT_EQ(r.bridge, numbers({k_nothing, k_nothing, k_nothing, k_nothing, k_nothing, 4, k_nothing, 6}));
    EXPECT_EQ(r.blocks, 4U);
    EXPECT_EQ(r.articulation_points, 2U);
    EXPECT_EQ(r.bridges, 2U);
    EXPECT_EQ(r.largest, 3U);
  });
}

// Parallel edges are stored once: so the first edge is a bridge, and the middle vertex an articulation point,
// in either case.
TEST(BiconnectedOf, EdgesGivenTwiceCountOnce) {
  const csr rows(3, {{0, 1}, {1, 2}, {1, 2}}, false);
  on_cores(2, [&] {
    const biconnected_result r = biconnected_components(rows.view());
    EXPECT_EQ(r.bridge, numbers({k_nothing, 0, 1}));
    EXPECT_EQ(r.memberships, numbers({1, 2, 1}));
  });
}

// Rings that share vertices, and chords that join some of the rings to larger blocks.
edge_list rings(vertex_id n, std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list edges;
  for (vertex_id next = 1; next + 12 < n;) {
    const auto at = static_cast<vertex_id>(bounded(random, next));
    const auto length = static_cast<vertex_id>(1 + bounded(random, 10));
    vertex_id last = at;
    for (vertex_id i = 0; i < length; ++i) {
      edges.emplace_back(last, next);
      last = next++;
    }
    if (bounded(random, 3) != 0) edges.emplace_back(last, at);
    if (bounded(random, 20) == 0)
      edges.emplace_back(static_cast<vertex_id>(bounded(random, next)),
                         static_cast<vertex_id>(bounded(random, next)));
  }
  return test::shuffled(edges, n, seed);
}

TEST(BiconnectedOf, RingsAreThoseOfADepthFirstSearch) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const csr rows(900, rings(900, seed), false);
    on_cores(static_cast<unsigned>(1 + seed % 4), [&] {
      const biconnected_result r = biconnected_components(rows.view());
      const check c = verify_biconnected(rows.view(), r);
      EXPECT_TRUE(c) << c.reason;
      EXPECT_GT(r.blocks, 20U);
      EXPECT_GT(r.bridges, 0U);
      EXPECT_LT(r.bridges, r.blocks);
    });
  }
}

TEST(BiconnectedVerifier, FindsMistakes) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, false);
  on_cores(1, [&] {
    const biconnected_result right = biconnected_components(rows.view());
    ASSERT_TRUE(verify_biconnected(rows.view(), right));
    biconnected_result blocks = right, points = right, bridges = right, largest = right, count = right,
                       block = right, head = right, bridge = right, few = right;
    ++blocks.blocks;
    ++points.articulation_points;
    ++bridges.bridges;
    ++largest.largest;
    ++count.memberships[4];
    block.block[3] = 2;
    head.head[3] = 1;
    bridge.bridge[3] = k_nothing;
    few.head.pop_back();
    for (const auto& wrong : {blocks, points, bridges, largest, count, block, head, bridge, few})
      EXPECT_FALSE(verify_biconnected(rows.view(), wrong));
  });
}

class BiconnectedSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(BiconnectedSimulated);

TEST_P(BiconnectedSimulated, BlocksAreThoseOfADepthFirstSearch) {
  const vertex_id n = 2500;
  for (const edge_list& edges : {test::uniform_edges(n, 2800, 3), rings(n, 4), test::path_edges(n),
                                 test::uniform_edges(n, 9000, 5), test::grid_edges(50, 50)}) {
    run(simulated_job(), [&] {
      const graph g = test::built(edges, n, false);
      const check c = verify_biconnected(g.view(), biconnected_components(g.view()));
      EXPECT_TRUE(c) << c.reason;
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
