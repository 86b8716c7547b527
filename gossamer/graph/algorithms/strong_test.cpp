#include "gossamer/graph/algorithms/strong.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "gossamer/graph/algorithms/internal/serial_strong.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::edge_list;
using test::on_cores;

/// Options that search the remaining vertices serially, and only by colours.
const strong_options k_option_sets[] = {{}, {.serial_arcs = 0}};

void expect_strong(const csr& rows, unsigned cores, const std::string& what) {
  for (const strong_options& way : k_option_sets)
    on_cores(cores, [&] {
      const check c = verify_strong(rows.view(), strong_components(rows.view(), {}, way));
      EXPECT_TRUE(c) << c.reason << ", " << what << (way.serial_arcs ? ", by colours" : "");
    });
}

class Strong : public test::on_graphs {};

TEST_P(Strong, AgreeWithTwoSerialSearches) { expect_strong(shape().build(), core_count(), shape().name); }
GOSSAMER_ON_GRAPHS(Strong);

std::vector<vertex_id> components_of(const csr& rows) {
  std::vector<vertex_id> found;
  on_cores(2, [&] { found = strong_components(rows.view()).component; });
  return found;
}

using numbers = std::vector<vertex_id>;

edge_list cycle_edges(vertex_id length, vertex_id first = 0) {
  edge_list all;
  for (vertex_id v = 0; v < length; ++v) all.emplace_back(first + v, first + (v + 1) % length);
  return all;
}

/// Returns a chain of cycles of so many vertices, each with an arc to the next one.
edge_list chain_of_cycles(vertex_id cycles, vertex_id length) {
  edge_list all;
  for (vertex_id c = 0; c < cycles; ++c) {
    for (const auto& e : cycle_edges(length, c * length)) all.push_back(e);
    if (c > 0) all.emplace_back(c * length - 1, c * length);
  }
  return all;
}

edge_list reversed_arcs(edge_list edges) {
  for (auto& [from, to] : edges) std::swap(from, to);
  return edges;
}

TEST(StrongOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, true);
  on_cores(2, [&] {
    const components_result r = strong_components(rows.view());
    EXPECT_EQ(r.components, 0U);
    EXPECT_EQ(r.largest_id, k_no_vertex);
    EXPECT_TRUE(verify_strong(rows.view(), r));
  });
}

TEST(StrongOf, AnUndirectedGraphAreTheConnectedOnes) {
  EXPECT_EQ(components_of(csr(5, {{1, 0}, {1, 2}, {4, 3}}, false)), numbers({0, 0, 0, 3, 3}));
}

TEST(StrongOf, TwoCyclesWithABridgeAreTwo) {
  const csr rows(7, {{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}, {5, 4}, {5, 6}, {0, 1}}, true);
  on_cores(3, [&] {
    const components_result r = strong_components(rows.view());
    EXPECT_EQ(r.component, numbers({0, 1, 1, 1, 4, 4, 6}));
    EXPECT_EQ(r.components, 4U);
    EXPECT_EQ(r.largest, 3U);
    EXPECT_EQ(r.largest_id, 1U);
    ASSERT_EQ(r.sizes.size(), 3U);
    EXPECT_EQ(r.sizes[0].count, 2U);
  });
}

TEST(StrongOf, RandomGraphsOfAnyDensityAreRight) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    xoshiro256 random(seed);
    const std::uint64_t vertices = 1 + bounded(random, 3000);
    const std::uint64_t edges = bounded(random, vertices * (1 + seed % 4));
    expect_strong(csr(vertices, test::uniform_edges(vertices, edges, seed), true), 1 + seed % 4,
                  "seed " + std::to_string(seed));
  }
}

TEST(StrongOf, AnAcyclicGraphAreItsVertices) {
  edge_list edges = test::uniform_edges(4000, 20000, 31);
  for (auto& [from, to] : edges)
    if (from > to) std::swap(from, to);
  numbers each(4000);
  std::iota(each.begin(), each.end(), vertex_id{0});
  EXPECT_EQ(components_of(csr(4000, edges, true)), each);
  EXPECT_EQ(components_of(csr(4000, reversed_arcs(edges), true)), each);
}

// These graphs take very long if there is a step per level, or a round per component.
TEST(StrongOf, LongThinGraphsAreRight) {
  constexpr vertex_id n = 6000;
  const std::uint64_t seed = 32;
  std::vector<std::pair<std::string, edge_list>> shapes{{"path", test::path_edges(n)},
                                                        {"cycle", cycle_edges(n)}};
  for (const vertex_id length : {2U, 3U, 100U})
    shapes.emplace_back("cycles of " + std::to_string(length), chain_of_cycles(n / length, length));
  edge_list grid = test::grid_edges(60, 100);
  shapes.emplace_back("grid", grid);
  xoshiro256 random(seed);
  for (auto& [from, to] : grid)
    if (bounded(random, 2) == 0) std::swap(from, to);
  shapes.emplace_back("grid of arcs to either side", grid);
  for (auto& [name, edges] : shapes) {
    expect_strong(csr(n, edges, true), 2, name);
    expect_strong(csr(n, reversed_arcs(edges), true), 3, name + ", turned round");
    expect_strong(csr(n, test::shuffled(edges, n, seed), true), 4, name + ", shuffled");
  }
}

// The forward search from the hub has one level, the backward search 20,000 levels, so it is cut short.
TEST(StrongOf, AGraphWhoseWayBackIsLongAreRight) {
  constexpr vertex_id n = 20000, hub = n / 2;
  edge_list edges = test::path_edges(n);
  for (vertex_id v = 0; v < n; v += 2) edges.emplace_back(hub, v);
  edges.emplace_back(n - 1, hub);
  expect_strong(csr(n, edges, true), 2, "a hub");
  expect_strong(csr(n, reversed_arcs(edges), true), 2, "a hub, turned round");
}

// The order of messages depends on the seed, the result does not.
TEST(StrongOf, ASimulatedJobOfSeveralProcessesAreRight) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const std::uint64_t vertices = 2000 + 100 * seed;
    const edge_list edges = seed % 3 == 0 ? test::shuffled(chain_of_cycles(1000, 2), 2000, seed)
                                          : test::uniform_edges(vertices, vertices * (5 + seed) / 8, seed);
    std::vector<std::int64_t> from, to;
    for (const auto& [u, v] : edges) from.push_back(u), to.push_back(v);
    job_options o;
    o.simulate = simulation::options::parse("processes=" + std::to_string(1 + seed % 4) +
                                            " cores=2 network=qdr seed=" + std::to_string(seed));
    run(o, [&] {
      const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()}, {.vertices = vertices});
      for (const strong_options& way : k_option_sets) {
        const check c = verify_strong(g.view(), strong_components(g.view(), {}, way));
        EXPECT_TRUE(c) << c.reason << ", seed " << seed << (way.serial_arcs ? ", by colours" : "");
      }
    });
  }
}

TEST(SinksFirst, NoArcLeadsToALaterComponent) {
  EXPECT_EQ(sinks_first(csr(0, {}, true).view(), {}), numbers());
  EXPECT_EQ(
      sinks_first(csr(5, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 0}}, true).view(), numbers{0, 1, 1, 3, 4}),
      numbers({3, 1, 0, 4}));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const edge_list edges = test::uniform_edges(500, 400 + 50 * seed, seed);
    const csr rows(500, edges, true);
    const numbers of = components_of(rows);
    const numbers order = sinks_first(rows.view(), of);
    EXPECT_EQ(order.size(), components_of_labels(of).components);
    numbers place(500, k_no_vertex);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<vertex_id>(i);
    for (const auto& [from, to] : edges) EXPECT_GE(place[of[from]], place[of[to]]) << "seed " << seed;
  }
}

TEST(SerialStrong, LeavesVerticesThatHaveAComponent) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {2, 0}}, true);
  std::vector<strong_state> states(5, {k_no_vertex, 0, 0});
  states[4].component = 4;
  const std::uint64_t open = 0b1111;
  EXPECT_EQ(settle_serially(rows.view().out, states.data(), {&open, 1}, 4), 5U);
  EXPECT_EQ(states[3].component, 3U);
  for (const vertex_id v : {0, 1, 2}) EXPECT_EQ(states[v].component, 0U);
}

class VerifyStrong : public testing::Test {
 protected:
  csr rows_{5, {{0, 1}, {1, 0}, {1, 2}, {3, 4}, {4, 3}, {2, 3}}, true};
  components_result result_{.component = {0, 0, 2, 3, 3},
                            .components = 3,
                            .largest = 2,
                            .largest_id = 0,
                            .sizes = {{1, 1}, {2, 2}}};
};

TEST_F(VerifyStrong, AcceptsTheRightAnswer) { EXPECT_TRUE(verify_strong(rows_.view(), result_)); }
TEST_F(VerifyStrong, FindsComponentsThatAreJoined) {
  EXPECT_FALSE(verify_strong(rows_.view(), components_of_labels({0, 0, 0, 3, 3})));
  EXPECT_FALSE(verify_strong(rows_.view(), components_of_labels({0, 0, 0, 0, 0})));
}
TEST_F(VerifyStrong, FindsAComponentThatIsCut) {
  EXPECT_FALSE(verify_strong(rows_.view(), components_of_labels({0, 1, 2, 3, 3})));
}
TEST_F(VerifyStrong, FindsANameThatIsNotTheSmallest) {
  EXPECT_FALSE(verify_strong(rows_.view(), components_of_labels({0, 0, 2, 4, 4})));
}
TEST_F(VerifyStrong, FindsWrongCounts) {
  components_result wrong = result_;
  wrong.components = 2;
  EXPECT_FALSE(verify_strong(rows_.view(), wrong));
  wrong = result_;
  wrong.largest = 3;
  EXPECT_FALSE(verify_strong(rows_.view(), wrong));
  wrong = result_;
  wrong.sizes[1].count = 1;
  EXPECT_FALSE(verify_strong(rows_.view(), wrong));
}

}  // namespace
}  // namespace gossamer::graph
