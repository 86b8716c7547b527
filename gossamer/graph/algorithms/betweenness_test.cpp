#include "gossamer/graph/algorithms/betweenness.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

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

// With fewer sources than cores, all cores search from one source; otherwise each core has its own.
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

// With fewer sources than cores, all cores search from one source. Otherwise each core has its own, and reads
// copies of the rows of other processes.
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
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), sources / 2, seed, {}, sampled));
    EXPECT_FALSE(verify_sampled_betweenness(rows.view(), sources / 2, seed + 1, {}, sampled));
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), 0, seed, {}, exact));
  });
}

TEST(SampledBetweenness, ReportsProgressUpToAllSources) {
  const csr rows(300, test::path_edges(300), false);
  on_cores(2, [&] {
    std::uint64_t last = 0;
    sampled_betweenness(rows.view(), 20, 1, {}, [&](const char*, std::uint64_t done, std::uint64_t total) {
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

TEST_P(Betweenness, OfEdgesAgreesWithTheTextbook) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const std::vector<vertex_id> sources = random_sources(rows.view(), 5, 6);
    const betweenness_options how{.scale = 2, .edges = true};
    const betweenness_result result = betweenness(rows.view(), sources, how);
    const check c = verify_betweenness(rows.view(), sources, how, result);
    EXPECT_TRUE(c) << c.reason;
    const check plain = verify_betweenness(rows.view(), sources, {.scale = 2}, result);
    EXPECT_TRUE(plain) << plain.reason;
  });
}

/// The columns of a graph: arcs, and weights of each type.
struct weighted_arcs {
  std::vector<std::int64_t> from, to;
  std::vector<std::int32_t> integers;
  std::vector<double> reals;

  explicit weighted_arcs(const test::edge_list& edges, const std::vector<double>& weights = {}) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      from.push_back(edges[i].first), to.push_back(edges[i].second);
      reals.push_back(weights.empty() ? static_cast<double>(1 + i * 7 % 5) / 8 : weights[i]);
      integers.push_back(static_cast<std::int32_t>(1 + i * 7 % 5));  // many ties
    }
  }
  graph build(bool directed, weight_type type, std::uint64_t vertices) const {
    weight_column column{integers.data(), integers.size(), 1, type};
    if (type == weight_type::float64) column.data = reals.data();
    return from_edges({from.data(), from.size()}, {to.data(), to.size()},
                      {.directed = directed, .vertices = vertices, .weights = column});
  }
};

void expect_textbook(const graph_view& g, const betweenness_options& how) {
  for (const std::uint64_t count : {1, 9}) {
    const std::vector<vertex_id> sources = random_sources(g, count, 5);
    const check c = verify_betweenness(g, sources, how, betweenness(g, sources, how));
    EXPECT_TRUE(c) << c.reason << ", sources: " << count;
  }
}

TEST(BetweennessByWeights, AgreesWithTheTextbook) {
  constexpr std::uint64_t vertices = 1 << 9;
  const weighted_arcs arcs(test::kronecker_edges(9, 5, 61));
  for (const bool directed : {false, true})
    for (const weight_type type : {weight_type::int32, weight_type::float64})
      for (const betweenness_options& how :
           {betweenness_options{.weighted = true},
            betweenness_options{.scale = 3, .weighted = true, .edges = true}}) {
        SCOPED_TRACE(std::string(name_of(type)) + (directed ? ", directed" : "") +
                     (how.edges ? ", edges" : ""));
        for (const unsigned cores : {1U, 3U, 8U})
          on_cores(cores, [&] { expect_textbook(arcs.build(directed, type, vertices).view(), how); });
        for (const char* cluster :
             {"processes=3 cores=2 network=qdr seed=4", "processes=4 cores=1 node=2 seed=5"}) {
          job_options o;
          o.simulate = simulation::options::parse(cluster);
          run(o, [&] { expect_textbook(arcs.build(directed, type, vertices).view(), how); });
        }
      }
}

// As doubles, .1 + .2 > .15 + .15: the paths are not equally long. As integers they are.
TEST(BetweennessByWeights, LengthsAreComparedExactly) {
  const test::edge_list square{{0, 1}, {1, 3}, {0, 2}, {2, 3}};
  on_cores(2, [&] {
    const auto scores = [&](const weighted_arcs& arcs, weight_type type) {
      return sampled_betweenness(arcs.build(false, type, 4).view(), 0, 1, {.weighted = true}).scores;
    };
    EXPECT_EQ(scores(weighted_arcs(square, {.1, .2, .15, .15}), weight_type::float64),
              (std::vector<double>{1, 0, 1, 0}));
    weighted_arcs whole(square);
    whole.integers = {10, 20, 15, 15};
    EXPECT_EQ(scores(whole, weight_type::int32), (std::vector<double>{1, .5, .5, 0}));
  });
}

// A chain of diamonds doubles the number of shortest paths at each: 2^1100 are beyond the doubles, and so would be
// their sums.
TEST(BetweennessOf, MorePathsThanDoublesHold) {
  constexpr vertex_id diamonds = 1100, vertices = 3 * diamonds + 1;
  test::edge_list edges;
  for (vertex_id v = 0; v + 1 < vertices; v += 3)
    for (const vertex_id middle : {v + 1, v + 2}) {
      edges.emplace_back(v, middle);
      edges.emplace_back(middle, v + 3);
    }
  std::vector<double> expected(vertices, 0);  // from vertex 0
  for (vertex_id v = vertices - 1; v > 0; v -= 3) {
    expected[v - 1] = expected[v - 2] = (1 + expected[v]) / 2;
    if (v > 3) expected[v - 3] = 3 + expected[v];
  }
  const weighted_arcs arcs(edges, std::vector<double>(edges.size(), 1.5));
  for (const betweenness_options& how : {betweenness_options{}, betweenness_options{.weighted = true}})
    for (const unsigned cores : {1U, 3U})  // one core has a source of its own; three share it
      on_cores(cores, [&] {
        const graph g = arcs.build(true, weight_type::float64, vertices);
        const std::vector<vertex_id> sources{0};
        const betweenness_result found = betweenness(g.view(), sources, how);
        EXPECT_EQ(found.scores, expected) << "weighted " << how.weighted << ", cores " << cores;
        const check c = verify_betweenness(g.view(), sources, how, found);
        EXPECT_TRUE(c) << c.reason;
      });
}

/// Returns the message of betweenness on a directed path with these weights, and an arc from its first to its
/// last vertex with another one.
std::string error_by_weights(const std::vector<double>& path, double across, unsigned cores) {
  std::string message = "no error";
  test::edge_list edges;
  for (vertex_id v = 0; v < path.size(); ++v) edges.emplace_back(v, v + 1);
  edges.emplace_back(0, static_cast<vertex_id>(path.size()));
  std::vector<double> weights = path;
  weights.push_back(across);
  on_cores(cores, [&] {
    try {
      const graph g = weighted_arcs(edges, weights).build(true, weight_type::float64, path.size() + 1);
      (void)sampled_betweenness(g.view(), 0, 1, {.weighted = true});
    } catch (const error& e) {
      message = e.what();
    }
  });
  return message;
}

TEST(BetweennessByWeights, LengthsThatCannotBeComparedAreErrors) {
  for (const unsigned cores : {1U, 3U}) {
    // 1e20 + 1 is 1e20: the vertex behind the second arc would have no number of shortest paths.
    EXPECT_EQ(
        error_by_weights({1e20, 1}, 1e21, cores),
        "betweenness: a weight of 1 is lost by rounding beside a path of length 1e+20: expected weights "
        "that differ less");
    EXPECT_EQ(error_by_weights({1e20, 1}, 1e20, cores).substr(0, 26), "betweenness: a weight of 1");
    EXPECT_EQ(error_by_weights({1e20, 1}, 3, cores), "no error");
    EXPECT_EQ(error_by_weights({1e308, 1e308, 1e308}, 1e308, cores),
              "betweenness: the length of a path exceeds what a double holds");
    EXPECT_EQ(error_by_weights({1e308, 1e308}, 1e308, cores), "no error");
  }
}

TEST(BetweennessOfEdges, APathByHand) {
  const csr undirected(3, test::path_edges(3), false), directed(3, {{1, 0}, {1, 2}, {0, 2}}, true);
  on_cores(2, [&] {
    const edge_scores path = sampled_betweenness(undirected.view(), 0, 1, {.edges = true}).edges;
    EXPECT_EQ(path.from, (std::vector<vertex_id>{0, 1}));
    EXPECT_EQ(path.to, (std::vector<vertex_id>{1, 2}));
    EXPECT_EQ(path.scores, (std::vector<double>{2, 2}));
    EXPECT_NEAR(path.scores[0] * edge_normalisation(undirected.view()), 2.0 / 3, 1e-15);
    const edge_scores arcs = sampled_betweenness(directed.view(), 0, 1, {.edges = true}).edges;
    EXPECT_EQ(arcs.from, (std::vector<vertex_id>{0, 1, 1}));
    EXPECT_EQ(arcs.to, (std::vector<vertex_id>{2, 0, 2}));
    EXPECT_EQ(arcs.scores, (std::vector<double>{1, 1, 1}));
    const csr none(2, {}, true);
    EXPECT_TRUE(sampled_betweenness(none.view(), 0, 1, {.edges = true}).edges.scores.empty());
  });
}

TEST(VerifyBetweenness, FindsAWrongEdge) {
  const csr rows(20, test::star_edges(20), false);
  on_cores(1, [&] {
    const betweenness_options how{.edges = true};
    const betweenness_result right = sampled_betweenness(rows.view(), 0, 1, how);
    ASSERT_TRUE(verify_sampled_betweenness(rows.view(), 0, 1, how, right));
    betweenness_result score = right, end = right, missing = right, vertex = right;
    score.edges.scores[3] *= 1 + 1e-6;
    end.edges.from[2] = 5;
    missing.edges.scores.pop_back();
    vertex.scores[19] += 1e-3;
    for (const auto& wrong : {score, end, missing, vertex})
      EXPECT_FALSE(verify_sampled_betweenness(rows.view(), 0, 1, how, wrong));
  });
}

TEST(VerifyBetweenness, FindsAWrongScore) {
  const csr rows(20, test::star_edges(20), false);
  on_cores(1, [&] {
    betweenness_result result = sampled_betweenness(rows.view(), 0, 1);
    EXPECT_TRUE(verify_sampled_betweenness(rows.view(), 0, 1, {}, result));
    result.scores[19] *= 1 + 1e-6;
    EXPECT_FALSE(verify_sampled_betweenness(rows.view(), 0, 1, {}, result));
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
