#include "gossamer/graph/algorithms/diameter.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::edge_list;
using test::on_cores;

/// Returns a ring through all vertices.
edge_list ring_edges(vertex_id vertices) {
  edge_list edges = test::path_edges(vertices);
  edges.emplace_back(vertices - 1, 0);
  return edges;
}

/// Returns a grid without some of its edges.
edge_list holed_grid_edges(vertex_id rows, vertex_id columns, double left_out, std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list edges;
  for (const auto& e : test::grid_edges(rows, columns))
    if (unit_double(random) >= left_out) edges.push_back(e);
  return edges;
}

void expect_right(const csr& rows, unsigned cores, const std::string& which) {
  on_cores(cores, [&] {
    const diameter_result found = diameter(rows.view());
    const check c = verify_diameter(rows.view(), found);
    EXPECT_TRUE(c) << c.reason << ", " << which << " on " << cores << " cores";
    for (const std::uint64_t alone : {0, 12}) {  // all cores on every level; one core on thin levels
      diameter_options by_levels;
      by_levels.policy.alone_arcs = by_levels.policy.alone_vertices = alone;
      const diameter_result again = diameter(rows.view(), by_levels);
      EXPECT_EQ(again.diameter, found.diameter) << which << ", alone up to " << alone;
      EXPECT_EQ(again.sources, found.sources) << which << ", alone up to " << alone;
    }
  });
}

TEST(Diameter, OfRandomGraphsAgreesWithSerialSearches) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string by = "seed " + std::to_string(seed);
    const auto cores = static_cast<unsigned>(1 + seed % 3);
    const std::uint64_t n = 20 + 10 * seed;  // sparse: many components; dense: one
    expect_right(csr(n, test::uniform_edges(n, n * (1 + seed % 4) / 2, seed), false), cores,
                 "uniform, " + by);
    expect_right(csr(256, test::kronecker_edges(8, 1 + seed % 5, seed), false), cores, "kronecker, " + by);
    expect_right(csr(360, holed_grid_edges(18, 20, 0.05 * static_cast<double>(seed % 10), seed), false),
                 cores, "grid, " + by);
  }
}

// A ring through all vertices, and random arcs.
TEST(Diameter, OfStronglyConnectedGraphsAgreesWithSerialSearches) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto n = static_cast<vertex_id>(10 + 8 * seed);
    edge_list edges = ring_edges(n);
    for (const auto& e : test::uniform_edges(n, n * (seed % 4) / 4, seed)) edges.push_back(e);
    expect_right(csr(n, test::shuffled(edges, n, seed), true), static_cast<unsigned>(1 + seed % 3),
                 "seed " + std::to_string(seed));
  }
}

// In some of these graphs, bounds that end the searches one step too early give a wrong diameter.
TEST(Diameter, OfManySmallGraphsAgreesWithSerialSearches) {
  for (const unsigned cores : {1U, 2U})
    on_cores(cores, [&] {
      for (std::uint64_t seed = cores; seed <= 1200; seed += 2) {
        xoshiro256 random(seed);
        const auto n = static_cast<vertex_id>(3 + bounded(random, 25));
        const bool directed = bounded(random, 2) == 0;
        edge_list edges = directed ? ring_edges(n) : edge_list{};
        for (const auto& e : test::uniform_edges(n, bounded(random, 2 * n), seed)) edges.push_back(e);
        const csr rows(n, test::shuffled(edges, n, seed), directed);
        const check c = verify_diameter(rows.view(), diameter(rows.view()));
        EXPECT_TRUE(c) << c.reason << ", seed " << seed;
      }
    });
}

diameter_result diameter_of(const csr& rows) {
  diameter_result r;
  on_cores(2, [&] { r = diameter(rows.view()); });
  return r;
}

TEST(DiameterOf, APathTakesAFewSweeps) {
  const diameter_result r = diameter_of(csr(700, test::path_edges(700), false));
  EXPECT_EQ(r.diameter, 699U);
  EXPECT_EQ(std::min(r.from, r.to), 0U);
  EXPECT_EQ(std::max(r.from, r.to), 699U);
  EXPECT_TRUE(r.connected);
  EXPECT_LE(r.searches, 7U);
}

// In each component, two vertices on opposite sides are farthest from the middle.
TEST(DiameterOf, SeveralComponentsIsTheLargestInsideOne) {
  edge_list edges = test::path_edges(30);
  for (const auto& e : test::grid_edges(20, 20)) edges.emplace_back(e.first + 30, e.second + 30);
  const csr rows(440, edges, false);  // and ten isolated vertices
  const diameter_result r = diameter_of(rows);
  EXPECT_EQ(r.diameter, 38U);
  EXPECT_EQ(r.components, 12U);
  EXPECT_FALSE(r.connected);
  expect_right(rows, 3, "components");
}

// All vertices have the same eccentricity, so half of the vertices are searched from: 64 of each ring at
// once.
TEST(DiameterOf, RingsTakesSearchesOfAllAtOnce) {
  edge_list edges;
  for (vertex_id k = 0; k < 8; ++k)
    for (const auto& e : ring_edges(150 + k)) edges.emplace_back(e.first + 160 * k, e.second + 160 * k);
  const csr rows(160 * 8, edges, false);
  const diameter_result r = diameter_of(rows);
  EXPECT_EQ(r.diameter, 78U);
  EXPECT_LE(r.searches, 15U);
  expect_right(rows, 2, "rings");
}

TEST(DiameterOf, NoVertexAndOfVerticesAloneIsZero) {
  const diameter_result none = diameter_of(csr(0, {}, false)), one = diameter_of(csr(1, {}, true)),
                        three = diameter_of(csr(3, {}, false));
  EXPECT_EQ(none.from, k_no_vertex);
  EXPECT_EQ(none.components, 0U);
  EXPECT_FALSE(none.connected);
  EXPECT_EQ(one.diameter, 0U);
  EXPECT_TRUE(one.connected);
  EXPECT_EQ(three.diameter, 0U);
  EXPECT_EQ(three.components, 3U);
  EXPECT_EQ(three.from, 0U);
  for (const std::uint64_t n : {0, 1, 3}) expect_right(csr(n, {}, false), 2, "no edges");
}

TEST(DiameterOf, ADirectedGraphMustBeStronglyConnected) {
  const csr there(3, test::path_edges(3), true), back(3, {{1, 0}, {2, 1}}, true);
  on_cores(2, [&] {
    for (const csr* rows : {&there, &back}) try {
        diameter(rows->view());
        ADD_FAILURE() << "it has a diameter";
      } catch (const error& e) {
        EXPECT_EQ(std::string(e.what()),
                  std::string("diameter: expected a strongly connected graph, found no path ") +
                      (rows == &back ? "from vertex 0 to 1" : "to vertex 0 from 1"));
      }
  });
}

TEST(DiameterOf, ADirectedCycleTakesAFewSearches) {
  constexpr std::uint64_t k_length = 2000;
  auto edges = test::path_edges(k_length);
  edges.push_back({k_length - 1, 0});
  const csr rows(k_length, edges, true);
  on_cores(2, [&] {
    const diameter_result r = diameter(rows.view());
    EXPECT_EQ(r.diameter, k_length - 1);
    EXPECT_LE(r.searches, 12U);
  });
}

TEST(DiameterOf, AGridReportsBoundsThatClose) {
  const csr rows(900, holed_grid_edges(30, 30, 0.3, 7), false);
  on_cores(2, [&] {
    std::uint64_t lower = 0, upper = 0;
    const diameter_result r =
        diameter(rows.view(), {}, [&](const char*, std::uint64_t low, std::uint64_t high) {
          EXPECT_GE(low, lower);
          EXPECT_TRUE(upper == 0 || high <= upper);
          EXPECT_TRUE(high == 0 || low <= high);
          lower = low, upper = high;
        });
    EXPECT_EQ(lower, r.diameter);
    EXPECT_EQ(upper, r.diameter);
  });
}

TEST(VerifyDiameter, FindsWhatIsWrong) {
  const csr rows(90, test::grid_edges(9, 10), false);
  const diameter_result right = diameter_of(rows);
  EXPECT_TRUE(verify_diameter(rows.view(), right));
  for (const int mistake : {0, 1, 2, 3, 4}) {
    diameter_result r = right;
    r.diameter += mistake == 0;
    r.diameter -= mistake == 1;
    r.components += mistake == 2;
    r.connected ^= mistake == 3;
    if (mistake == 4) r.to = r.from;
    EXPECT_FALSE(verify_diameter(rows.view(), r)) << mistake;
  }
  // The path exists, but is not the longest.
  diameter_result shorter = right;
  shorter.from = 0, shorter.to = 1, shorter.diameter = 1;
  EXPECT_FALSE(verify_diameter(rows.view(), shorter));
  EXPECT_FALSE(verify_diameter(csr(3, test::path_edges(3), true).view(), {2, 0, 2, 1, true, 1, 1, 0}));
}

class DiameterSimulated : public test::on_clusters {};
INSTANTIATE_TEST_SUITE_P(Clusters, DiameterSimulated,
                         ::testing::Values("processes=1 cores=3", "processes=2 cores=2",
                                           "processes=3 cores=1 seed=2", "processes=4 cores=1 node=2 seed=3",
                                           "processes=3 cores=2 network=qdr faults=all seed=4",
                                           "processes=2 cores=2 network=qdr faults=all seed=5"));

TEST_P(DiameterSimulated, AgreesWithSerialSearches) {
  for (const bool directed : {false, true}) {
    const vertex_id n = 1700;
    edge_list edges = directed ? ring_edges(n) : holed_grid_edges(34, 50, 0.3, 6);
    if (directed)
      for (const auto& e : test::uniform_edges(n, 400, 9)) edges.push_back(e);
    run(simulated_job(), [&] {
      const graph g = test::built(edges, n, directed);
      const check c = verify_diameter(g.view(), diameter(g.view()));
      EXPECT_TRUE(c) << c.reason;
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
