#include "gossamer/graph/algorithms/components.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class Components : public test::on_graphs {};

TEST_P(Components, AgreeWithSerialUnionFind) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const components_result result = connected_components(rows.view());
    const check c = verify_components(rows.view(), result);
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Components);

TEST(ComponentsOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, false);
  on_cores(2, [&] {
    const components_result result = connected_components(rows.view());
    EXPECT_EQ(result.components, 0U);
    EXPECT_EQ(result.largest_id, k_no_vertex);
    EXPECT_TRUE(verify_components(rows.view(), result));
  });
}

TEST(ComponentsOf, ADirectedGraphIgnoreDirection) {
  const csr rows(5, {{1, 0}, {1, 2}, {4, 3}}, true);
  on_cores(3, [&] {
    const components_result result = connected_components(rows.view());
    EXPECT_EQ(result.component, (std::vector<vertex_id>{0, 0, 0, 3, 3}));
    EXPECT_EQ(result.components, 2U);
    EXPECT_EQ(result.largest, 3U);
    EXPECT_EQ(result.largest_id, 0U);
    ASSERT_EQ(result.sizes.size(), 2U);
    EXPECT_EQ(result.sizes[0].size, 2U);
    EXPECT_EQ(result.sizes[1].count, 1U);
  });
}

// The graph is deeper than the first search, so union-find and hooking join the rest, also across blocks.
TEST(ComponentsOf, LongPathsAreJoinedAcrossBlocks) {
  const std::uint64_t seed = 21;
  for (const bool shuffle : {false, true}) {
    test::edge_list edges = test::path_edges(20000);
    edges.erase(edges.begin() + 12345);
    if (shuffle) edges = test::shuffled(edges, 20000, seed);
    const csr rows(20000, edges, false);
    on_cores(8, [&] {
      const components_result result = connected_components(rows.view());
      EXPECT_EQ(result.components, 2U) << "seed " << seed;
      const check c = verify_components(rows.view(), result);
      EXPECT_TRUE(c) << c.reason << ", seed " << seed;
    });
  }
}

// There are more edges between blocks than a core stores, so it reads the remaining rows again.
TEST(ComponentsOf, LongChainsOfCliquesAreJoinedAcrossBlocks) {
  const std::uint64_t seed = 22;
  constexpr vertex_id clique = 10, cliques = 600;
  test::edge_list edges;
  for (vertex_id first = 0; first < clique * cliques; first += clique) {
    for (vertex_id a = first; a < first + clique; ++a)
      for (vertex_id b = first; b < a; ++b) edges.emplace_back(a, b);
    if (first != 0 && first != clique * 400) edges.emplace_back(first - 1, first);
  }
  for (const bool directed : {false, true}) {
    const csr rows(clique * cliques, test::shuffled(edges, clique * cliques, seed), directed);
    for (const unsigned core_count : {1U, 2U, 8U})
      on_cores(core_count, [&] {
        const components_result result = connected_components(rows.view());
        EXPECT_EQ(result.components, 2U) << "seed " << seed;
        const check c = verify_components(rows.view(), result);
        EXPECT_TRUE(c) << c.reason << ", seed " << seed;
      });
  }
}

class VerifyComponents : public testing::Test {
 protected:
  csr rows_{5, {{0, 1}, {3, 4}}, false};
  components_result result_{.component = {0, 0, 2, 3, 3},
                            .components = 3,
                            .largest = 2,
                            .largest_id = 0,
                            .sizes = {{1, 1}, {2, 2}}};
};

TEST_F(VerifyComponents, AcceptsTheRightAnswer) { EXPECT_TRUE(verify_components(rows_.view(), result_)); }
TEST_F(VerifyComponents, FindsAWrongNumber) {
  result_.component[2] = 0;
  EXPECT_FALSE(verify_components(rows_.view(), result_));
}
TEST_F(VerifyComponents, FindsWrongCounts) {
  components_result wrong = result_;
  wrong.components = 2;
  EXPECT_FALSE(verify_components(rows_.view(), wrong));
  wrong = result_;
  wrong.largest = 3;
  EXPECT_FALSE(verify_components(rows_.view(), wrong));
  wrong = result_;
  wrong.sizes[1].count = 1;
  EXPECT_FALSE(verify_components(rows_.view(), wrong));
}

}  // namespace
}  // namespace gossamer::graph
