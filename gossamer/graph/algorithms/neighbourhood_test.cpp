#include "gossamer/graph/algorithms/neighbourhood.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

using numbers = std::vector<vertex_id>;

void expect_right(const graph_view& g, const numbers& around, std::uint64_t hops) {
  const neighbourhood_result near = neighbourhood(g, around, hops);
  const check c = verify_neighbourhood(g, around, hops, near);
  EXPECT_TRUE(c) << c.reason;
  const check edges = verify_subgraph(g, near.vertices, subgraph(g, near.vertices));
  EXPECT_TRUE(edges) << edges.reason;
}

class Neighbourhood : public test::on_graphs {};

TEST_P(Neighbourhood, IsThatOfASerialSearch) {
  const csr rows = shape().build();
  const auto last = static_cast<vertex_id>(rows.view().vertices - 1);
  on_cores(core_count(), [&] {
    for (const std::uint64_t hops : {0, 1, 3, 1000}) expect_right(rows.view(), {0, last, last / 2, 0}, hops);
  });
}
GOSSAMER_ON_GRAPHS(Neighbourhood);

TEST(NeighbourhoodOf, AVertexIsAtDistanceZero) {
  const csr rows(4, {{0, 1}, {1, 2}, {2, 3}}, false), directed(4, {{0, 1}, {2, 0}}, true);
  on_cores(2, [&] {
    const neighbourhood_result r = neighbourhood(rows.view(), {1}, 1);
    EXPECT_EQ(r.vertices, numbers({1, 0, 2}));
    EXPECT_EQ(r.distances, numbers({0, 1, 1}));
    EXPECT_EQ(neighbourhood(directed.view(), {0}, 1).vertices, numbers({0, 1}));  // successors
    EXPECT_TRUE(neighbourhood(rows.view(), {}, 5).vertices.empty());
  });
}

TEST(SubgraphOf, AnEdgeOfAnUndirectedGraphComesOnce) {
  const csr rows(5, {{1, 0}, {1, 2}, {2, 3}, {0, 2}}, false), directed(3, {{0, 1}, {1, 0}, {1, 2}}, true);
  on_cores(2, [&] {
    const induced_edges r = subgraph(rows.view(), {2, 0, 1, 2, 4});
    EXPECT_EQ(r.from, numbers({0, 0, 1}));
    EXPECT_EQ(r.to, numbers({1, 2, 2}));
    EXPECT_EQ(r.vertices, 4U);
    EXPECT_TRUE(r.weights.empty());
    EXPECT_EQ(subgraph(directed.view(), {0, 1}).from, numbers({0, 1}));
    EXPECT_TRUE(subgraph(rows.view(), {}).from.empty());
  });
}

TEST(NeighbourhoodVerifier, FindsMistakes) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 3}, {0, 4}}, false);
  on_cores(1, [&] {
    const neighbourhood_result right = neighbourhood(rows.view(), {0}, 2);
    ASSERT_TRUE(verify_neighbourhood(rows.view(), {0}, 2, right));
    neighbourhood_result fewer = right, far = right, order = right, other = right;
    fewer.vertices.pop_back();
    far.distances[1] = 2;
    std::swap(order.vertices[1], order.vertices[2]);
    other.vertices[3] = 3;
    for (const auto& wrong : {fewer, far, order, other})
      EXPECT_FALSE(verify_neighbourhood(rows.view(), {0}, 2, wrong));
    const induced_edges edges = subgraph(rows.view(), {0, 1, 4});
    ASSERT_TRUE(verify_subgraph(rows.view(), {0, 1, 4}, edges));
    induced_edges none = edges, swapped = edges, more = edges, count = edges;
    none.from.pop_back();
    std::swap(swapped.to[0], swapped.to[1]);
    more.from.push_back(1);
    more.to.push_back(4);
    ++count.vertices;
    for (const auto& wrong : {none, swapped, more, count})
      EXPECT_FALSE(verify_subgraph(rows.view(), {0, 1, 4}, wrong));
  });
}

class NeighbourhoodSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(NeighbourhoodSimulated);

TEST_P(NeighbourhoodSimulated, IsThatOfASerialSearch) {
  const vertex_id n = 3000;
  for (const bool directed : {true, false}) {
    run(simulated_job(), [&] {
      std::vector<std::int64_t> from, to;
      std::vector<std::int32_t> weights;
      for (const auto& e : test::uniform_edges(n, 9000, 3)) {
        from.push_back(e.first), to.push_back(e.second);
        weights.push_back(static_cast<std::int32_t>(e.first % 7));
      }
      const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()},
                                 {.directed = directed,
                                  .vertices = n,
                                  .weights = {weights.data(), weights.size(), 1, weight_type::int32}});
      expect_right(g.view(), {5, 2900}, 3);
      expect_right(g.view(), {1200}, 100);
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
