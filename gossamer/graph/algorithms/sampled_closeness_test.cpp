#include "gossamer/graph/algorithms/sampled_closeness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class SampledCloseness : public test::on_graphs {};

TEST_P(SampledCloseness, IsThatOfSerialSearches) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const closeness_sample_options some{.samples = 70, .seed = core_count()};
    const check c = verify_sampled_closeness(rows.view(), some, sampled_closeness(rows.view(), some));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(SampledCloseness);

// Returns the mean distance from the other vertices, in a connected graph.
double mean_distance(const distance_summary& d) {
  return static_cast<double>(d.sum) / static_cast<double>(d.reached - 1);
}

TEST(SampledClosenessOf, SomeVerticesIsWithinItsBounds) {
  std::uint64_t connected = 0;
  double harmonic_of_few = 0, harmonic_of_many = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const bool directed = seed % 3 == 0;
    const csr rows(800, seed % 2 == 0 ? test::uniform_edges(800, 4000, seed) : test::grid_edges(20, 40),
                   directed);
    on_cores(2, [&] {
      const closeness_result exact = closeness(rows.view());
      for (const std::uint64_t samples : {20, 200}) {
        const auto found = sampled_closeness(rows.view(), {.samples = samples, .seed = seed});
        EXPECT_EQ(found.samples.size(), samples);
        EXPECT_LT(found.harmonic_error, 799);
        double& sum = samples == 20 ? harmonic_of_few : harmonic_of_many;
        for (std::size_t v = 0; v < 800; ++v) {
          const double off = std::abs(found.harmonic[v] - exact.harmonic[v]);
          EXPECT_LE(off, found.harmonic_error);
          sum += off;
          if (!found.distance_error) continue;
          const double mean = 1 / found.closeness[v];
          EXPECT_LE(std::abs(mean - mean_distance(exact.distances[v])), *found.distance_error);
        }
        connected += found.distance_error.has_value();
        EXPECT_FALSE(directed && found.distance_error);
      }
    });
  }
  EXPECT_GE(connected, 8U);
  EXPECT_LT(harmonic_of_many, harmonic_of_few / 2);
}

TEST(SampledClosenessOf, AllVerticesIsExact) {
  for (const bool directed : {false, true}) {
    const csr rows(150, test::uniform_edges(150, 300, 9), directed);
    on_cores(3, [&] {
      const closeness_result exact = closeness(rows.view());
      for (const std::uint64_t samples : {150, 1000}) {
        const auto found = sampled_closeness(rows.view(), {.samples = samples, .seed = 4});
        EXPECT_EQ(found.harmonic_error, 0);
        EXPECT_EQ(found.samples.size(), 150U);
        for (std::size_t v = 0; v < 150; ++v) {
          EXPECT_NEAR(found.closeness[v], exact.closeness[v], 1e-12);
          EXPECT_NEAR(found.harmonic[v], exact.harmonic[v], 1e-9);
        }
      }
    });
  }
}

TEST(SampledClosenessOf, ASeedIsTheSameOnAnyNumberOfCores) {
  const csr rows(1 << 10, test::kronecker_edges(10, 6, 8), false);
  sampled_closeness_result first;
  for (const unsigned cores : {1U, 2U, 5U})
    on_cores(cores, [&] {
      const auto found = sampled_closeness(rows.view(), {.samples = 130, .seed = 3});
      if (cores == 1) first = found;
      EXPECT_EQ(found.distances, first.distances);
      EXPECT_EQ(found.closeness, first.closeness);
      EXPECT_EQ(found.samples, first.samples);
      EXPECT_NE(sampled_closeness(rows.view(), {.samples = 130, .seed = 4}).samples, first.samples);
    });
  EXPECT_EQ(std::set(first.samples.begin(), first.samples.end()).size(), 130U);
}

/// Returns a hub with leaves, and a path from the hub: most leaves have the same distances to the path.
test::edge_list broom_edges(vertex_id leaves, vertex_id path) {
  test::edge_list edges = test::path_edges(path);
  for (vertex_id v = path; v < path + leaves; ++v) edges.emplace_back(0, v);
  return edges;
}

// If samples share no level, each core searches from one sample at a time. Otherwise all cores search from 64
// at once, however long the graph is.
TEST(SampledClosenessOf, LongGraphsIsThatOfSerialSearches) {
  const csr graphs[] = {csr(600, test::grid_edges(3, 200), false), csr(600, test::grid_edges(3, 200), true),
                        csr(1200, broom_edges(1000, 200), false)};
  for (const csr& rows : graphs)
    for (const unsigned cores : {1U, 3U})
      on_cores(cores, [&] {
        const closeness_sample_options some{.samples = 90, .seed = cores};
        const check c = verify_sampled_closeness(rows.view(), some, sampled_closeness(rows.view(), some));
        EXPECT_TRUE(c) << c.reason << ", on " << cores << " cores";
      });
}

TEST(SampledClosenessOf, NoVertexAndOneVertexIsZero) {
  const csr none(0, {}, true), one(1, {}, false), apart(2, {}, false);
  on_cores(2, [&] {
    EXPECT_TRUE(sampled_closeness(none.view(), {}).closeness.empty());
    EXPECT_EQ(sampled_closeness(one.view(), {}).harmonic, std::vector<double>{0});
    const auto found = sampled_closeness(apart.view(), {});
    EXPECT_EQ(found.closeness, std::vector<double>({0, 0}));
    EXPECT_FALSE(found.distance_error);
  });
}

TEST(SamplingError, FallsWithTheSample) {
  EXPECT_EQ(sampling_error(100, 100, 100), 0);
  EXPECT_EQ(sampling_error(1, 1'000'000, 1'000'000), 1);
  EXPECT_NEAR(sampling_error(1000, 1'000'000'000, 1), std::sqrt(std::log(40) / 2000), 1e-6);  // Hoeffding's
  for (const std::uint64_t n : {10, 1000, 1'000'000})
    for (const double error : {0.9, 0.1, 0.01, 0.0}) {
      const std::uint64_t samples = samples_for_error(error, n);
      EXPECT_LE(sampling_error(samples - 1, n - 1, n), error);
      if (samples > 2) {
        EXPECT_GT(sampling_error(samples - 2, n - 1, n), error);
      }
    }
  EXPECT_EQ(samples_for_error(0, 1000), 1000U);
}

TEST(SampledClosenessVerifier, FindsMistakes) {
  const csr rows(40, test::path_edges(40), false);
  on_cores(1, [&] {
    const closeness_sample_options some{.samples = 12};
    const sampled_closeness_result right = sampled_closeness(rows.view(), some);
    ASSERT_TRUE(verify_sampled_closeness(rows.view(), some, right));
    sampled_closeness_result closeness = right, harmonic = right, sum = right, drawn = right, bound = right,
                             distance = right, few = right;
    closeness.closeness[3] *= 1.001;
    harmonic.harmonic[3] += 0.001;
    ++sum.distances[5].sum;
    drawn.samples[1] = drawn.samples[0];
    bound.harmonic_error /= 2;
    distance.distance_error.reset();
    few.samples.pop_back();
    for (const auto& wrong : {closeness, harmonic, sum, drawn, bound, distance, few})
      EXPECT_FALSE(verify_sampled_closeness(rows.view(), some, wrong));
  });
}

class SampledClosenessSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(SampledClosenessSimulated);

TEST_P(SampledClosenessSimulated, IsTheAnswerOfOneProcess) {
  const std::pair<test::edge_list, bool> graphs[] = {{test::kronecker_edges(9, 4, 21), false},
                                                     {test::kronecker_edges(9, 4, 21), true},
                                                     {test::grid_edges(4, 128), false}};
  for (const auto& [edges, directed] : graphs) {
    const csr rows(1 << 9, edges, directed);
    const closeness_sample_options some{.samples = 80, .seed = 2};
    sampled_closeness_result expected;
    on_cores(1, [&] { expected = sampled_closeness(rows.view(), some); });
    run(simulated_job(), [&] {
      const graph g = test::built(edges, 1 << 9, directed);
      const sampled_closeness_result found = sampled_closeness(g.view(), some);
      EXPECT_EQ(found.distances, expected.distances);
      EXPECT_EQ(found.closeness, expected.closeness);
      EXPECT_EQ(found.distance_error, expected.distance_error);
      const check c = verify_sampled_closeness(g.view(), some, found);
      EXPECT_TRUE(c) << c.reason;
    });
  }
}

}  // namespace
}  // namespace gossamer::graph
