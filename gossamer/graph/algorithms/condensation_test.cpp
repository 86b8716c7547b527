#include "gossamer/graph/algorithms/condensation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/strong.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;
using vertices_of = std::vector<vertex_id>;

class Condensation : public test::on_graphs {};

TEST_P(Condensation, IsThatOfASerialPass) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const components_result parts = strong_components(rows.view());
    const condensed_arcs found = condensation(rows.view(), parts.component);
    const check c = verify_condensation(rows.view(), parts.component, found);
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Condensation);

TEST(CondensationOf, RandomGraphsIsThatOfASerialPass) {
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t n = 60 + 20 * seed;
    const csr rows(n, test::uniform_edges(n, n + n * (seed % 3) / 4, seed), true);
    condensed_arcs first;
    for (const unsigned cores : {1U, 3U, 8U})
      on_cores(cores, [&] {
        const components_result parts = strong_components(rows.view());
        const condensed_arcs found = condensation(rows.view(), parts.component);
        const check c = verify_condensation(rows.view(), parts.component, found);
        EXPECT_TRUE(c) << c.reason;
        if (cores == 1) first = found;
        EXPECT_EQ(found.order, first.order);
        EXPECT_EQ(found.from, first.from);
        EXPECT_EQ(found.to, first.to);
        EXPECT_EQ(found.arcs, first.arcs);
        pairs += found.arcs.size();
      });
  }
  EXPECT_GT(pairs, 1000U);
}

TEST(CondensationOf, TwoCyclesIsAnArcWithTheirNumber) {
  const csr rows(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {0, 2}, {1, 3}}, true);
  on_cores(2, [&] {
    const condensed_arcs found = condensation(rows.view(), strong_components(rows.view()).component);
    EXPECT_EQ(found.from, vertices_of{0});
    EXPECT_EQ(found.to, vertices_of{2});
    EXPECT_EQ(found.arcs, std::vector<std::uint64_t>{2});
  });
}

// Components 2 and 4 have level 0, 1 and 3 have level 1, 0 has level 2: not the order of their numbers.
TEST(CondensationOf, APathComesInTopologicalOrder) {
  const csr rows(5, {{2, 1}, {1, 0}, {4, 3}, {4, 0}}, true);
  on_cores(2, [&] {
    const condensed_arcs found = condensation(rows.view(), strong_components(rows.view()).component);
    EXPECT_EQ(found.order, vertices_of({2, 4, 1, 3, 0}));
    EXPECT_EQ(found.from, vertices_of({2, 4, 4, 1}));
    EXPECT_EQ(found.to, vertices_of({1, 3, 0, 0}));
  });
}

TEST(CondensationOf, AGraphThatNeedsMoreMemoryThanThereIsIsRefused) {
  const csr rows(3, {{0, 1}, {1, 2}}, true);
  on_cores(3, [&] {
    const vertices_of component = strong_components(rows.view()).component;
    ::setenv("GOSSAMER_MEMORY_LIMIT", "1", 1);
    EXPECT_THROW((void)condensation(rows.view(), component), error);
    ::unsetenv("GOSSAMER_MEMORY_LIMIT");
    EXPECT_EQ(condensation(rows.view(), component).from.size(), 2U);
  });
}

TEST(CondensationOf, AnUndirectedGraphAndOneWithoutVerticesHasNoArcs) {
  const csr none(0, {}, true), undirected(3, {{0, 1}}, false);
  on_cores(2, [&] {
    EXPECT_TRUE(condensation(none.view(), {}).from.empty());
    const condensed_arcs found = condensation(undirected.view(), vertices_of{0, 0, 2});
    EXPECT_TRUE(found.from.empty());
    EXPECT_EQ(found.order, vertices_of({0, 2}));
  });
}

TEST(CondensationVerifier, FindsMistakes) {
  const csr rows(5, {{0, 1}, {1, 0}, {1, 2}, {0, 2}, {2, 3}, {0, 4}}, true);
  on_cores(1, [&] {
    const vertices_of component = strong_components(rows.view()).component;
    const condensed_arcs right = condensation(rows.view(), component);
    ASSERT_TRUE(verify_condensation(rows.view(), component, right));
    condensed_arcs missing = right, count = right, other = right, order = right, shorter = right,
                   place = right, twice = right, few = right;
    missing.from.pop_back(), missing.to.pop_back(), missing.arcs.pop_back();
    ++count.arcs[0];
    other.to[0] = 3;
    std::swap(order.to[0], order.to[1]);
    shorter.to.pop_back();
    std::swap(place.order[1], place.order[2]);
    twice.order.back() = twice.order[0];
    few.order.pop_back();
    for (const auto& wrong : {missing, count, other, order, shorter, place, twice, few})
      EXPECT_FALSE(verify_condensation(rows.view(), component, wrong));
  });
}

class CondensationSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(CondensationSimulated);

TEST_P(CondensationSimulated, IsThatOfASerialPass) {
  const auto edges = test::uniform_edges(300, 420, 5);
  run(simulated_job(), [&] {
    const graph g = test::built(edges, 300, true);
    const components_result parts = strong_components(g.view());
    const check c = verify_condensation(g.view(), parts.component, condensation(g.view(), parts.component));
    EXPECT_TRUE(c) << c.reason;
  });
}

}  // namespace
}  // namespace gossamer::graph
