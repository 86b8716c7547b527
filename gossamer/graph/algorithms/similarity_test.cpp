#include "gossamer/graph/algorithms/similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

using numbers = std::vector<vertex_id>;

numbers random_pairs(std::uint64_t vertices, std::uint64_t seed) {
  xoshiro256 random(seed);
  numbers all;
  for (int i = 0; i < 1000; ++i) all.push_back(static_cast<vertex_id>(bounded(random, vertices)));
  return all;
}

class Similarity : public test::on_graphs {};

TEST_P(Similarity, IsThatOfSets) {
  const csr rows = shape().build();
  const numbers pairs = random_pairs(rows.view().vertices, 4);
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)similarity(rows.view(), pairs), error);
      EXPECT_THROW((void)vertices_with_common_neighbours(rows.view(), 0), error);
      return;
    }
    const check c = verify_similarity(rows.view(), pairs, similarity(rows.view(), pairs));
    EXPECT_TRUE(c) << c.reason;
    const check all =
        verify_similar_vertices(rows.view(), 0, vertices_with_common_neighbours(rows.view(), 0));
    EXPECT_TRUE(all) << all.reason;
  });
}
GOSSAMER_ON_GRAPHS(Similarity);

// A path of three vertices, an edge, and an isolated vertex.
TEST(SimilarityOf, ItsEdgeCasesAreNetworkX) {
  const csr rows(7, {{0, 1}, {1, 2}, {3, 4}}, false);
  on_cores(2, [&] {
    const auto of = similarity(rows.view(), {0, 2, 0, 1, 5, 6, 3, 3}).of;
    EXPECT_EQ(of[0].jaccard, 1);
    EXPECT_EQ(of[0].adamic_adar, 1 / std::log(2.0));
    EXPECT_EQ(of[0].resource_allocation, 0.5);
    EXPECT_EQ(of[0].preferential_attachment, 1U);
    EXPECT_EQ(of[1].jaccard, 0);
    EXPECT_EQ(of[1].preferential_attachment, 2U);
    EXPECT_EQ(of[2].jaccard, 0);
    EXPECT_EQ(of[3].adamic_adar, 0);  // a term of degree 1 is left out
    EXPECT_EQ(of[3].common, 1U);
    EXPECT_EQ(vertices_with_common_neighbours(rows.view(), 0), numbers({2}));
    EXPECT_TRUE(vertices_with_common_neighbours(rows.view(), 5).empty());
  });
}

TEST(SimilarityVerifier, FindsMistakes) {
  const csr rows(4, {{0, 1}, {1, 2}, {2, 3}}, false);
  on_cores(1, [&] {
    const numbers pairs{0, 2, 1, 3};
    const similarity_result right = similarity(rows.view(), pairs);
    ASSERT_TRUE(verify_similarity(rows.view(), pairs, right));
    similarity_result jaccard = right, common = right, adamic = right, allocation = right, product = right,
                      fewer = right;
    jaccard.of[0].jaccard += 0.1;
    ++common.of[1].common;
    adamic.of[0].adamic_adar = 1;
    allocation.of[0].resource_allocation = 1;
    ++product.of[0].preferential_attachment;
    fewer.of.pop_back();
    for (const auto& wrong : {jaccard, common, adamic, allocation, product, fewer})
      EXPECT_FALSE(verify_similarity(rows.view(), pairs, wrong));
    EXPECT_FALSE(verify_similar_vertices(rows.view(), 0, {}));
    EXPECT_FALSE(verify_similar_vertices(rows.view(), 0, {2, 3}));
  });
}

class SimilaritySimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(SimilaritySimulated);

TEST_P(SimilaritySimulated, IsThatOfSets) {
  const vertex_id n = 1500;
  run(simulated_job(), [&] {
    const graph g = test::built(test::uniform_edges(n, 12000, 3), n, false);
    numbers pairs = random_pairs(n, 5);
    pairs.resize(100);
    const check c = verify_similarity(g.view(), pairs, similarity(g.view(), pairs));
    EXPECT_TRUE(c) << c.reason;
    const check all = verify_similar_vertices(g.view(), 7, vertices_with_common_neighbours(g.view(), 7));
    EXPECT_TRUE(all) << all.reason;
  });
}

}  // namespace
}  // namespace gossamer::graph
