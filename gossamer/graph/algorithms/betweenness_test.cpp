#include "gossamer/graph/algorithms/betweenness.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class Betweenness : public test::on_graphs {};

// Few sources: all cores on one. More than cores: one per core.
TEST_P(Betweenness, AgreesWithSerialBrandesByLevelsAndPerCore) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    for (const std::uint64_t count : {1, 12}) {
      const std::vector<vertex_id> sources = random_sources(rows.view(), count, 5);
      const betweenness_result result = betweenness(rows.view(), sources, {.scale = 3});
      const check c = verify_betweenness(rows.view(), sources, {.scale = 3}, result);
      EXPECT_TRUE(c) << count << " sources: " << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(Betweenness);

TEST(BetweennessOf, APathIsTheNumberOfPairsAroundEachVertex) {
  for (const bool directed : {false, true}) {
    const csr rows(5, test::path_edges(5), directed);
    on_cores(2, [&] {
      const betweenness_result result = sampled_betweenness(rows.view(), 0, 1);
      EXPECT_EQ(result.scores, (std::vector<double>{0, 3, 4, 3, 0}));
    });
  }
}

TEST(BetweennessOf, EqualPathsShareAPair) {
  const csr rows(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, true);
  on_cores(1, [&] {
    EXPECT_EQ(sampled_betweenness(rows.view(), 0, 1).scores, (std::vector<double>{0, 0.5, 0.5, 0}));
  });
}

TEST(BetweennessOf, AnEmptyGraphIsEmpty) {
  const csr rows(0, {}, false);
  on_cores(2, [&] { EXPECT_TRUE(sampled_betweenness(rows.view(), 0, 1).scores.empty()); });
}

// Few sources: all cores on one. More than cores: one per core, over copies of the rows of other processes.
TEST(BetweennessOf, SeveralProcessesAgreesWithSerialBrandes) {
  job_options o;
  o.simulate = simulation::options::parse("processes=3 cores=2 network=qdr seed=2");
  run(o, [] {
    std::vector<std::int64_t> from, to;
    for (const auto& e : test::kronecker_edges(11, 4, 23)) from.push_back(e.first), to.push_back(e.second);
    const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()}, {.vertices = 1 << 11});
    for (const std::uint64_t count : {2, 20}) {
      const std::vector<vertex_id> sources = random_sources(g.view(), count, 5);
      const check c = verify_betweenness(g.view(), sources, {}, betweenness(g.view(), sources));
      EXPECT_TRUE(c) << count << " sources: " << c.reason;
    }
  });
}

TEST(SampledBetweenness, EstimatesTheExactScores) {
  const std::uint64_t seed = 41;
  const csr rows(512, test::kronecker_edges(9, 8, seed), false);
  on_cores(2, [&] {
    const betweenness_result exact = sampled_betweenness(rows.view(), 0, 1);
    const std::uint64_t sources = count_sources(rows.view());
    EXPECT_EQ(exact.sources, sources);
    const betweenness_result sampled = sampled_betweenness(rows.view(), sources / 2, seed);
    EXPECT_EQ(sampled.sources, sources / 2);
    const double exact_sum = std::accumulate(exact.scores.begin(), exact.scores.end(), 0.0);
    const double sampled_sum = std::accumulate(sampled.scores.begin(), sampled.scores.end(), 0.0);
    EXPECT_NEAR(sampled_sum / exact_sum, 1, 0.1) << "seed " << seed;
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), sources / 2, seed, sampled));
    EXPECT_FALSE(verify_sampled_betweenness(rows.view(), sources / 2, seed + 1, sampled));
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), 0, seed, exact));
  });
}

TEST(SampledBetweenness, ReportsProgressUpToAllSources) {
  const csr rows(300, test::path_edges(300), false);
  on_cores(2, [&] {
    std::uint64_t last = 0;
    sampled_betweenness(rows.view(), 20, 1, [&](const char*, std::uint64_t done, std::uint64_t total) {
      EXPECT_EQ(total, 20U);
      last = done;
    });
    EXPECT_EQ(last, 20U);
  });
}

TEST(RandomSources, AreDistinctHaveEdgesAndDependOnTheSeedOnly) {
  const csr rows(4096, test::kronecker_edges(12, 2, 51), true);
  const std::vector<vertex_id> some = random_sources(rows.view(), 64, 9);
  EXPECT_EQ(some.size(), 64U);
  EXPECT_EQ(some, random_sources(rows.view(), 64, 9));
  EXPECT_NE(some, random_sources(rows.view(), 64, 10));
  for (vertex_id v : some) EXPECT_GT(rows.view().out.degree(v), 0U);
  std::vector<vertex_id> all = random_sources(rows.view(), 1 << 20, 9);
  EXPECT_EQ(all.size(), count_sources(rows.view()));
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(VerifyBetweenness, FindsAWrongScore) {
  const csr rows(20, test::star_edges(20), false);
  on_cores(1, [&] {
    betweenness_result result = sampled_betweenness(rows.view(), 0, 1);
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), 0, 1, result));
    result.scores[19] *= 1 + 1e-6;
    EXPECT_FALSE(verify_sampled_betweenness(rows.view(), 0, 1, result));
  });
}

TEST(BetweennessOf, NormalisedScoresAreSharesOfAllPairs) {
  for (const bool directed : {true, false}) {
    const csr star(4, {{0, 3}, {1, 3}, {2, 3}, {3, 0}, {3, 1}, {3, 2}},
                   directed);  // all paths lead through 3
    on_cores(2, [&] {
      const betweenness_result result = sampled_betweenness(star.view(), 0, 1);
      EXPECT_DOUBLE_EQ(result.scores[3] * normalisation(star.view()), 1);
    });
  }
  EXPECT_EQ(normalisation(csr(2, {{0, 1}}, true).view()), 1);
}

}  // namespace
}  // namespace gossamer::graph
