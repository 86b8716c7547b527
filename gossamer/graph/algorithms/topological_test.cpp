#include "gossamer/graph/algorithms/topological.hpp"

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

class Topological : public test::on_graphs {};

TEST_P(Topological, OrderIsTheSerialOne) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (!rows.view().directed) {
      EXPECT_THROW((void)topological_order(rows.view()), error);
      return;
    }
    const check c = verify_topological(rows.view(), topological_order(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}

// Edges lead from the smaller vertex to the larger one, so the graph is acyclic.
TEST_P(Topological, OrderOfADirectedAcyclicGraphHasAllVertices) {
  edge_list edges = shape().edges();
  for (auto& e : edges) e = std::minmax(e.first, e.second);
  const csr rows(shape().vertices, edges, true);
  on_cores(core_count(), [&] {
    const topological_result r = topological_order(rows.view());
    EXPECT_EQ(r.ordered, rows.view().vertices);
    const check c = verify_topological(rows.view(), r);
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Topological);

using numbers = std::vector<vertex_id>;

TEST(TopologicalOf, AnEmptyGraphIsNothing) {
  const csr rows(0, {}, true);
  on_cores(2, [&] { EXPECT_TRUE(topological_order(rows.view()).cycle.empty()); });
}

TEST(TopologicalOf, TheLongestPathCounts) {
  const csr rows(5, {{4, 3}, {3, 0}, {4, 0}, {0, 2}}, true);
  on_cores(2, [&] {
    const topological_result r = topological_order(rows.view());
    EXPECT_EQ(r.level, numbers({2, 0, 3, 1, 0}));
    EXPECT_EQ(r.position, numbers({3, 0, 4, 2, 1}));
    EXPECT_EQ(r.levels, 4U);
  });
}

// An arc leads from 0 to the cycle 1, 2, 3, and one from the cycle to 4.
TEST(TopologicalOf, ACycleIsNamed) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}, true);
  on_cores(2, [&] {
    const topological_result r = topological_order(rows.view());
    EXPECT_EQ(r.cycle, numbers({1, 2, 3}));
    EXPECT_EQ(r.level, numbers({0, k_no_vertex, k_no_vertex, k_no_vertex, k_no_vertex}));
    EXPECT_EQ(r.ordered, 1U);
  });
}

TEST(TopologicalVerifier, FindsMistakes) {
  const csr rows(4, {{0, 1}, {1, 2}, {2, 1}, {0, 3}}, true), ordered(2, {{0, 1}}, true);
  on_cores(1, [&] {
    const topological_result right = topological_order(rows.view());
    ASSERT_TRUE(verify_topological(rows.view(), right));
    topological_result no_cycle = right, other_cycle = right, twice = right, late = right, placed = right,
                       number = right, swapped = right;
    no_cycle.cycle.clear();
    other_cycle.cycle = {0, 1};
    twice.cycle = {1, 2, 1, 2};
    late.level[3] = 2;
    placed.level[1] = 1;
    ++number.levels;
    std::swap(swapped.position[0], swapped.position[3]);
    for (const auto& wrong : {no_cycle, other_cycle, twice, late, placed, number, swapped})
      EXPECT_FALSE(verify_topological(rows.view(), wrong));
    topological_result cyclic = topological_order(ordered.view());
    cyclic.cycle = {0, 1};
    EXPECT_FALSE(verify_topological(ordered.view(), cyclic));
  });
}

class TopologicalSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(TopologicalSimulated);

TEST_P(TopologicalSimulated, OrderIsTheSerialOne) {
  const vertex_id n = 1500;
  for (const bool acyclic : {false, true}) {
    edge_list edges = test::uniform_edges(n, 2000, 3);
    for (auto& e : edges)
      if (acyclic) e = std::minmax(e.first, e.second);
    run(simulated_job(), [&] {
      const graph g = test::built(edges, n, true);
      const topological_result r = topological_order(g.view());
      const check c = verify_topological(g.view(), r);
      EXPECT_TRUE(c) << c.reason;
      EXPECT_EQ(r.cycle.empty(), acyclic);
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
