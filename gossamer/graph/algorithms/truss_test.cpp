#include "gossamer/graph/algorithms/truss.hpp"

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

class Truss : public test::on_graphs {};

TEST_P(Truss, NumbersAreThoseOfASerialLoop) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)truss_numbers(rows.view()), error);
      return;
    }
    const check c = verify_truss(rows.view(), truss_numbers(rows.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Truss);

using numbers = std::vector<vertex_id>;

TEST(TrussOf, AnEmptyGraphIsNothing) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_EQ(truss_numbers(rows.view()).largest, 0U); });
}

// A clique of four vertices, a triangle at one of its edges, a path from there, and an isolated vertex.
TEST(TrussOf, AnEdgeIsInTwoTrianglesLess) {
  const csr rows(7, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {4, 5}}, false);
  on_cores(2, [&] {
    const truss_result r = truss_numbers(rows.view());
    EXPECT_EQ(r.edges, numbers({4, 4, 4, 4, 4, 4, 3, 3, 2}));
    EXPECT_EQ(r.truss, numbers({4, 4, 4, 4, 3, 2, 0}));
    EXPECT_EQ(r.largest, 4U);
    EXPECT_EQ(r.innermost, 6U);
    EXPECT_EQ(r.levels, 3U);
  });
}

/// Returns overlapping cliques of different sizes, and some random edges.
edge_list cliques(vertex_id n, std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list edges = test::uniform_edges(n, n, seed);
  for (std::uint64_t size = 3; size < 15; ++size) {
    numbers members;
    for (std::uint64_t i = 0; i < size; ++i)
      members.push_back(static_cast<vertex_id>(bounded(random, n / 2)));
    for (const vertex_id a : members)
      for (const vertex_id b : members)
        if (a != b && bounded(random, 12) != 0) edges.emplace_back(a, b);
  }
  return edges;
}

TEST(TrussOf, CliquesIsThatOfASerialLoop) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const csr rows(200, cliques(200, seed), false);
    on_cores(static_cast<unsigned>(1 + seed % 4), [&] {
      const truss_result r = truss_numbers(rows.view());
      const check c = verify_truss(rows.view(), r);
      EXPECT_TRUE(c) << c.reason;
      EXPECT_GT(r.levels, 4U);
    });
  }
}

TEST(TrussVerifier, FindsMistakes) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, false);
  on_cores(1, [&] {
    const truss_result right = truss_numbers(rows.view());
    ASSERT_TRUE(verify_truss(rows.view(), right));
    truss_result edge = right, vertex = right, largest = right, innermost = right, levels = right,
                 few = right;
    edge.edges[0] = 2;
    vertex.truss[4] = 2;
    ++largest.largest;
    --innermost.innermost;
    ++levels.levels;
    few.edges.pop_back();
    for (const auto& wrong : {edge, vertex, largest, innermost, levels, few})
      EXPECT_FALSE(verify_truss(rows.view(), wrong));
  });
}

class TrussSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(TrussSimulated);

TEST_P(TrussSimulated, NumbersAreThoseOfASerialLoop) {
  const vertex_id n = 2100;
  for (const edge_list& edges : {cliques(n, 7), test::uniform_edges(n, 9000, 3), test::path_edges(n),
                                 test::shuffled(test::kronecker_edges(9, 10, 5), 512, 5)}) {
    run(simulated_job(), [&] {
      const graph g = test::built(edges, n, false);
      const check c = verify_truss(g.view(), truss_numbers(g.view()));
      EXPECT_TRUE(c) << c.reason;
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
