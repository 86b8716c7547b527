#include "gossamer/graph/algorithms/matching.hpp"

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

class Matching : public test::on_graphs {};

TEST_P(Matching, IsThatOfASerialLoop) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)maximal_matching(rows.view()), error);
      return;
    }
    for (const std::uint64_t seed : {1, 2}) {
      const check c = verify_matching(rows.view(), {seed}, maximal_matching(rows.view(), {seed}));
      EXPECT_TRUE(c) << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(Matching);

TEST(MatchingOf, AnEmptyGraphIsNothing) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_EQ(maximal_matching(rows.view()).edges, 0U); });
}

TEST(MatchingOf, AStarIsOneEdge) {
  const csr rows(300, test::star_edges(300), false);
  on_cores(3, [&] {
    const matching_result r = maximal_matching(rows.view());
    EXPECT_EQ(r.edges, 1U);
    EXPECT_EQ(r.rounds, 1U);
    EXPECT_EQ(r.mate[r.mate[299]], 299U);
  });
}

TEST(MatchingOf, AnotherSeedIsAnotherMatching) {
  const csr rows(3000, test::path_edges(3000), false);
  on_cores(2, [&] {
    EXPECT_EQ(maximal_matching(rows.view(), {1}).mate, maximal_matching(rows.view(), {1}).mate);
    EXPECT_NE(maximal_matching(rows.view(), {1}).mate, maximal_matching(rows.view(), {2}).mate);
  });
}

TEST(MatchingVerifier, FindsMistakes) {
  const csr rows(6, test::path_edges(6), false);
  on_cores(1, [&] {
    const matching_result right = maximal_matching(rows.view());
    ASSERT_TRUE(verify_matching(rows.view(), {}, right));
    matching_result none = right, number = right, far = right, alone = right;
    std::ranges::fill(none.mate, k_no_vertex);
    none.edges = 0;
    ++number.edges;
    far.mate = {5, k_no_vertex, k_no_vertex, k_no_vertex, k_no_vertex, 0};
    far.edges = 1;
    *std::ranges::find_if(alone.mate, [](vertex_id m) { return m != k_no_vertex; }) = k_no_vertex;
    for (const auto& wrong : {none, number, far, alone})
      EXPECT_FALSE(verify_matching(rows.view(), {}, wrong));
    matching_result beyond = right;
    beyond.mate[0] = 6;
    EXPECT_FALSE(verify_matching(rows.view(), {}, beyond));
    // The matching is maximal, but for another order: with one of these seeds other edges are taken.
    bool all_right = true;
    for (std::uint64_t seed = 2; seed < 9; ++seed)
      all_right &= verify_matching(rows.view(), {seed}, right).ok;
    EXPECT_FALSE(all_right);
  });
}

class MatchingSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(MatchingSimulated);

TEST_P(MatchingSimulated, TakesTheSameEdges) {
  const vertex_id n = 1500;
  const edge_list edges = test::uniform_edges(n, 6000, 3);
  const csr rows(n, edges, false);
  std::vector<vertex_id> mates;
  on_cores(2, [&] { mates = maximal_matching(rows.view()).mate; });
  run(simulated_job(), [&] {
    const graph g = test::built(edges, n, false);
    const matching_result r = maximal_matching(g.view());
    EXPECT_EQ(r.mate, mates);
    EXPECT_TRUE(verify_matching(g.view(), {}, r));
  });
}

}  // namespace
}  // namespace gossamer::graph
