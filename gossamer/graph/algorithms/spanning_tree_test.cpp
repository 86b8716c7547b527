#include "gossamer/graph/algorithms/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class SpanningTree : public test::on_graphs {};

TEST_P(SpanningTree, IsThatOfKruskal) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)minimum_spanning_tree(rows.view()), error);
      return;
    }
    const check c = verify_spanning_tree(rows.view(), minimum_spanning_tree(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(SpanningTree);

using numbers = std::vector<vertex_id>;

TEST(SpanningTreeOf, AnEmptyGraphIsNothing) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_EQ(minimum_spanning_tree(rows.view()).trees, 0U); });
}

TEST(SpanningTreeOf, EqualEdgesComeByTheirEnds) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, false);
  on_cores(2, [&] {
    const spanning_tree_result r = minimum_spanning_tree(rows.view());
    EXPECT_EQ(r.parent, numbers({0, 0, 0, 2, 4}));
    EXPECT_EQ(r.edges, 3U);
    EXPECT_EQ(r.trees, 2U);
    EXPECT_EQ(r.weight, 3);
  });
}

TEST(SpanningTreeVerifier, FindsMistakes) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, false);
  on_cores(1, [&] {
    const spanning_tree_result right = minimum_spanning_tree(rows.view());
    ASSERT_TRUE(verify_spanning_tree(rows.view(), right));
    spanning_tree_result other = right, apart = right, weight = right, count = right, root = right,
                         none = right;
    other.parent[2] = 1;  // a spanning tree of equal weight, for another order of edges
    apart.parent[3] = 3;
    weight.weight = 4;
    ++count.trees;
    root.parent = {1, 1, 0, 2, 4};
    none.parent[4] = k_no_vertex;
    for (const auto& wrong : {other, apart, weight, count, root, none})
      EXPECT_FALSE(verify_spanning_tree(rows.view(), wrong));
  });
}

/// Returns edges with weights: from 0 to 6, reals of both signs, or long paths with ascending weights.
std::string weighted_text(const std::string& kind, std::uint64_t seed) {
  xoshiro256 random(seed);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t a = kind == "rising" ? i : bounded(random, 700),
                        b = kind == "rising" ? i + 1 : bounded(random, 700);
    const std::string weight = kind == "integers" ? std::to_string(bounded(random, 7))
                               : kind == "reals"  ? std::to_string(unit_double(random) - 0.5)
                                                  : std::to_string(i + 1);
    text += std::to_string(a) + ' ' + std::to_string(b) + ' ' + weight + '\n';
  }
  return text;
}

void expect_kruskal(const job_options& o, const std::string& path) {
  run(o, [&] {
    const graph g = load(path, {.how = direction::undirected, .weights = weight_use::kept});
    ASSERT_NE(g.view().weights, weight_type::none);
    const check c = verify_spanning_tree(g.view(), minimum_spanning_tree(g.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}

TEST(SpanningTreeOfWeights, IsThatOfKruskal) {
  const test::temporary_folder folder;
  for (const char* kind : {"integers", "reals", "rising"})
    for (const unsigned cores : {1U, 2U, 5U}) {
      SCOPED_TRACE(kind);
      job_options o;
      o.cores = cores;
      expect_kruskal(o, folder.plant("edges", weighted_text(kind, cores)));
    }
}

class SpanningTreeSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(SpanningTreeSimulated);

TEST_P(SpanningTreeSimulated, IsThatOfKruskal) {
  const test::temporary_folder folder;
  for (const char* kind : {"integers", "reals", "rising"}) {
    SCOPED_TRACE(kind);
    expect_kruskal(simulated_job(), folder.plant("edges", weighted_text(kind, 9)));
  }
}

}  // namespace
}  // namespace gossamer::graph
