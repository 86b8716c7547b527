#include "gossamer/graph/algorithms/max_flow.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

constexpr max_flow_options k_unit{.unit_capacities = true},
    k_unit_edges{.unit_capacities = true, .edges = true};

class MaxFlow : public test::on_graphs {};

// The first and the last vertex, then random ones.
TEST_P(MaxFlow, IsThatOfDinitz) {
  const csr rows = shape().build();
  if (rows.view().vertices < 2) return;
  on_cores(core_count(), [&] {
    xoshiro256 random(core_count());
    const auto n = static_cast<vertex_id>(rows.view().vertices);
    for (int i = 0; i < 3; ++i) {
      const auto source = i == 0 ? 0 : static_cast<vertex_id>(bounded(random, n));
      const auto sink = i == 0 ? n - 1 : static_cast<vertex_id>(bounded(random, n));
      if (source == sink) continue;
      const check c =
          verify_max_flow(rows.view(), source, sink, k_unit, max_flow(rows.view(), source, sink, k_unit));
      EXPECT_TRUE(c) << c.reason << " from " << source << " to " << sink;
      const check of_arcs = verify_max_flow(rows.view(), source, sink, k_unit_edges,
                                            max_flow(rows.view(), source, sink, k_unit_edges));
      EXPECT_TRUE(of_arcs) << of_arcs.reason << " from " << source << " to " << sink;
    }
  });
}
GOSSAMER_ON_GRAPHS(MaxFlow);

struct pipes {
  std::vector<std::int64_t> from, to;
  std::vector<double> capacities;

  void add(std::int64_t a, std::int64_t b, double capacity) {
    from.push_back(a), to.push_back(b), capacities.push_back(capacity);
  }
  graph build(bool directed) const {
    return from_edges(
        {from.data(), from.size()}, {to.data(), to.size()},
        {.directed = directed, .weights = {capacities.data(), capacities.size(), 1, weight_type::float64}});
  }
};

/// Returns a grid with capacities from 1 to 100, integers or reals.
pipes grid(vertex_id side, bool whole, std::uint64_t seed) {
  xoshiro256 random(seed);
  pipes all;
  for (const auto& [a, b] : test::grid_edges(side, side))
    all.add(a, b, whole ? static_cast<double>(1 + bounded(random, 100)) : 1 + 99 * unit_double(random));
  return all;
}

TEST(MaxFlowOfWeights, IsThatOfDinitz) {
  for (const bool whole : {true, false})
    for (const bool directed : {true, false}) {
      const pipes all = grid(40, whole, 3);
      std::vector<max_flow_result> answers;
      for (const unsigned cores : {1U, 2U, 3U, 8U})
        on_cores(cores, [&] {
          const graph g = all.build(directed);
          for (const vertex_id source : {0U, 777U}) {
            answers.push_back(max_flow(g.view(), source, 1599, {.edges = true}));
            const check c = verify_max_flow(g.view(), source, 1599, {.edges = true}, answers.back());
            EXPECT_GT(answers.back().carried.flow.size(), 20U);
            EXPECT_EQ(answers.back().value, max_flow(g.view(), source, 1599).value);
            EXPECT_TRUE(c) << c.reason;
          }
        });
      for (std::size_t i = 2; i < answers.size(); ++i) {  // the same bits on any number of cores
        EXPECT_EQ(answers[i].value, answers[i % 2].value);
        EXPECT_EQ(answers[i].side, answers[i % 2].side);
        EXPECT_EQ(answers[i].carried.to, answers[i % 2].carried.to);
        EXPECT_EQ(answers[i].carried.flow, answers[i % 2].carried.flow);
        EXPECT_EQ(answers[i].pushes, answers[i % 2].pushes);  // with the same blocks
        EXPECT_EQ(answers[i].raises, answers[i % 2].raises);
      }
    }
}

max_flow_result flow_of(const pipes& all, bool directed, vertex_id source, vertex_id sink) {
  max_flow_result r;
  on_cores(2, [&] {
    const graph g = all.build(directed);
    r = max_flow(g.view(), source, sink);
  });
  return r;
}

using sides = std::vector<vertex_id>;

TEST(MaxFlowOf, AnUndirectedEdgeCarriesEitherWay) {
  pipes all;
  all.add(0, 1, 3), all.add(1, 2, 2);
  EXPECT_EQ(flow_of(all, false, 0, 2).value, 2);
  EXPECT_EQ(flow_of(all, false, 2, 0).value, 2);
  EXPECT_EQ(flow_of(all, true, 2, 0).value, 0);
}

// Many arcs carry much more flow to one vertex than can leave it.
TEST(MaxFlowOf, ManyWideArcsMeetBeforeANarrowOne) {
  for (const double wide : {1000.0, 1e18, 1e308})
    for (std::int64_t k = 1; k <= 70; k += k < 20 ? 1 : 10) {
      SCOPED_TRACE(k);
      pipes all;
      all.add(1, 2, 0.75);
      for (std::int64_t i = 3; i < k + 3; ++i) all.add(0, i, wide), all.add(i, 1, wide);
      for (const unsigned cores : {1U, 3U})
        on_cores(cores, [&] {
          const graph g = all.build(true);
          const max_flow_result r = max_flow(g.view(), 0, 2);
          EXPECT_EQ(r.value, 0.75);
          EXPECT_EQ(r.sink_side, 1U);
        });
    }
}

// 2 of the 5 units that leave the source cannot reach the sink, and return.
TEST(MaxFlowOf, ArcsCarryWhatReachesTheSink) {
  pipes all;
  all.add(0, 1, 5), all.add(1, 2, 9), all.add(1, 3, 3), all.add(2, 4, 1), all.add(4, 2, 1), all.add(3, 5, 7);
  on_cores(2, [&] {
    const graph g = all.build(true);
    const max_flow_result r = max_flow(g.view(), 0, 5, {.edges = true});
    EXPECT_EQ(r.carried.from, sides({0, 1, 3}));
    EXPECT_EQ(r.carried.to, sides({1, 3, 5}));
    EXPECT_EQ(r.carried.flow, (std::vector<double>{3, 3, 3}));
    EXPECT_TRUE(max_flow(g.view(), 0, 5).carried.flow.empty());
  });
}

// Vertices above a gap cannot reach the sink, so they are not raised further. Without gap detection there are
// 2,500 raises before a search finds that out.
TEST(MaxFlowOf, VerticesAboveAGapAreNotRaisedOneByOne) {
  constexpr std::uint64_t k_seed = 1;
  SCOPED_TRACE(k_seed);
  xoshiro256 random(k_seed);
  pipes all;
  for (const auto& [a, b] : test::uniform_edges(4096, 32768, k_seed))
    all.add(a, b, static_cast<double>(1 + bounded(random, 100)));
  for (const unsigned cores : {1U, 3U})
    for (const bool edges : {false, true})
      on_cores(cores, [&] {
        const graph g = all.build(false);
        const max_flow_result r = max_flow(g.view(), 1, 3000, {.edges = edges});
        const check c = verify_max_flow(g.view(), 1, 3000, {.edges = edges}, r);
        EXPECT_TRUE(c) << c.reason;
        EXPECT_GT(r.pushes, 100U);
        EXPECT_LT(r.raises, 1000U) << cores << " cores";
      });
}

TEST(MaxFlowOf, NothingFlowsThroughACapacityOfZero) {
  pipes all;
  all.add(0, 1, 0), all.add(1, 2, 2);
  const max_flow_result r = flow_of(all, true, 0, 2);
  EXPECT_EQ(r.value, 0);
  EXPECT_EQ(r.side, sides({0, 1, 1}));
  EXPECT_EQ(r.cut_arcs, 0U);
}

TEST(MaxFlowOf, RealsAreAddedInTheOrderOfArcs) {
  pipes all;
  all.add(0, 1, 0.1), all.add(1, 3, 0.1), all.add(0, 2, 0.2), all.add(2, 3, 0.2);
  EXPECT_EQ(flow_of(all, true, 0, 3).value, 0.30000000000000004);
}

TEST(MaxFlowOf, TheSinksSideOfTheCutIsTheSmallest) {
  pipes all;
  all.add(0, 1, 1), all.add(1, 2, 1);
  EXPECT_EQ(flow_of(all, true, 0, 2).side, sides({0, 0, 1}));
  EXPECT_EQ(flow_of(all, false, 0, 2).side, sides({0, 0, 1}));
}

TEST(MaxFlowOf, CapacitiesMayBeVeryLargeAndVerySmall) {
  pipes all;
  all.add(0, 1, 1e300), all.add(1, 2, 1e-300), all.add(1, 3, 5e-301), all.add(3, 2, 1e300);
  const max_flow_result r = flow_of(all, true, 0, 2);
  EXPECT_EQ(r.value, 1e-300 + 5e-301);
  EXPECT_EQ(r.side, sides({0, 0, 1, 1}));
}

TEST(MaxFlowOf, CapacitiesForUnboundedHideNoSmallOnes) {
  for (const double unbounded : {1e9, 1e18, 1e30, 1e300}) {
    pipes p;  // two ways: 3 and 1
    p.add(0, 1, unbounded), p.add(1, 2, 3), p.add(2, 3, 5), p.add(1, 4, 1), p.add(4, 3, 10);
    p.add(3, 5, unbounded);
    pipes wide;  // four ends on each side, with a grid of small capacities between them
    double between = 0;
    for (int i = 0; i < 4; ++i) {
      wide.add(0, 1 + i, unbounded), wide.add(5 + i, 9, unbounded);
      for (int j = 0; j < 4; ++j) wide.add(1 + i, 5 + j, i + 2 * j + 1), between += i + 2 * j + 1;
    }
    on_cores(2, [&] {
      const graph narrow = p.build(true), grid = wide.build(true);
      const max_flow_options edges{.edges = true};
      const max_flow_result r = max_flow(narrow.view(), 0, 5, edges);
      EXPECT_EQ(r.value, 4) << unbounded;
      EXPECT_EQ(r.carried.flow, (std::vector<double>{4, 3, 1, 3, 4, 1})) << unbounded;
      EXPECT_TRUE(verify_max_flow(narrow.view(), 0, 5, edges, r));
      EXPECT_EQ(max_flow(grid.view(), 0, 9).value, between) << unbounded;
    });
  }
}

TEST(MaxFlowOf, AValueThatNoDoubleHoldsIsRefused) {
  pipes p;
  p.add(0, 1, 1.7e308), p.add(1, 3, 1.7e308), p.add(0, 2, 1.7e308), p.add(2, 3, 1.7e308);
  on_cores(1, [&] {
    const graph g = p.build(true);
    try {
      (void)max_flow(g.view(), 0, 3);
      ADD_FAILURE() << "answered";
    } catch (const error& e) {
      EXPECT_STREQ(e.what(), "max-flow: the flow exceeds what a double holds");
    }
  });
}

TEST(MaxFlowOf, WhatIsNoCapacityIsRefused) {
  const csr plain(2, {{0, 1}}, true);
  pipes negative;
  negative.add(0, 1, -1);
  on_cores(1, [&] {
    const graph g = negative.build(true);
    EXPECT_THROW((void)max_flow(plain.view(), 0, 1), error);
    EXPECT_THROW((void)max_flow(plain.view(), 1, 1, k_unit), error);
    EXPECT_THROW((void)max_flow(g.view(), 0, 1), error);
    EXPECT_EQ(max_flow(g.view(), 0, 1, k_unit).value, 1);
  });
}

TEST(MaxFlowVerifier, FindsMistakes) {
  const csr rows(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 2}}, false);
  on_cores(1, [&] {
    const max_flow_result right = max_flow(rows.view(), 0, 3, k_unit);
    ASSERT_TRUE(verify_max_flow(rows.view(), 0, 3, k_unit, right));
    max_flow_result value = right, larger = right, other = right, count = right, source = right;
    ++value.value;
    larger.side = {0, 1, 0, 1};
    larger.value = 3, larger.cut_arcs = 3, larger.sink_side = 2;
    other.side = {0, 1, 1, 1};  // a minimum cut, but with more vertices on the sink's side
    other.sink_side = 3;
    ++count.sink_side;
    source.side = {1, 1, 1, 1};
    for (const auto& wrong : {value, larger, other, count, source})
      EXPECT_FALSE(verify_max_flow(rows.view(), 0, 3, k_unit, wrong));
    const max_flow_result flow = max_flow(rows.view(), 0, 3, k_unit_edges);
    ASSERT_TRUE(verify_max_flow(rows.view(), 0, 3, k_unit_edges, flow));
    EXPECT_FALSE(verify_max_flow(rows.view(), 0, 3, k_unit_edges, right)) << "no arc carries anything";
    max_flow_result more = flow, less = flow, none = flow, shorter = flow;
    more.carried.flow[0] = 2;
    less.carried.flow[1] = 0.5;
    none.carried.to[0] = 3;
    shorter.carried.flow.pop_back();
    for (const auto& wrong : {more, less, none, shorter})
      EXPECT_FALSE(verify_max_flow(rows.view(), 0, 3, k_unit_edges, wrong));
  });
}

class MaxFlowSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(MaxFlowSimulated);

TEST_P(MaxFlowSimulated, IsThatOfDinitz) {
  const pipes all = grid(20, true, 5);
  for (const bool directed : {true, false}) {
    run(simulated_job(), [&] {
      const graph g = all.build(directed);
      const check c = verify_max_flow(g.view(), 0, 399, {}, max_flow(g.view(), 0, 399));
      EXPECT_TRUE(c) << c.reason;
      const check of_arcs =
          verify_max_flow(g.view(), 0, 399, {.edges = true}, max_flow(g.view(), 0, 399, {.edges = true}));
      EXPECT_TRUE(of_arcs) << of_arcs.reason;
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
