// Compares eigenvector centrality, Katz centrality, HITS and weighted PageRank with serial runs and known
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

using scores = std::vector<double>;

void expect_near(const scores& found, const scores& expected, double allowed = 1e-4) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    EXPECT_NEAR(found[v], expected[v], allowed) << "vertex " << v;
}

TEST(Eigenvector, ScoresDoNotDependOnTheUnitOfWeights) {
  const std::vector<std::int64_t> from{0, 1, 2, 3}, to{1, 2, 3, 4};  // a path: bipartite
  on_cores(2, [&] {
    for (const double unit : {1e-200, 1e-8, 1.0, 1000.0, 1e200}) {
      const std::vector<double> weights{unit, 2 * unit, 3 * unit, unit};
      const graph g =
          from_edges({from.data(), 4}, {to.data(), 4},
                     {.directed = false, .weights = {weights.data(), 4, 1, weight_type::float64}});
      const eigenvector_options how{.limits = {.tolerance = 1e-10, .max_iterations = 400}, .weighted = true};
      const eigenvector_result r = eigenvector_centrality(g.view(), how);
      EXPECT_TRUE(r.converged) << unit;
      EXPECT_NEAR(r.eigenvalue / unit, std::sqrt(14.0), 1e-6) << unit;
      expect_near(r.scores, {0.10483, 0.39223, 0.68139, 0.58835, 0.15724});
      EXPECT_TRUE(verify_eigenvector(g.view(), how, r)) << unit;
      eigenvector_result wrong = r;
      wrong.eigenvalue *= 1.001;
      EXPECT_FALSE(verify_eigenvector(g.view(), how, wrong)) << unit;
    }
  });
}

class Iterations : public test::on_graphs {};

TEST_P(Iterations, AgreeWithSerialOnes) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const graph_view g = rows.view();
    const iteration_limits limits{.tolerance = 1e-7, .max_iterations = 40};
    const check e = verify_eigenvector(g, {.limits = limits}, eigenvector_centrality(g, {.limits = limits}));
    EXPECT_TRUE(e) << "eigenvector: " << e.reason;
    for (const katz_options& o : {katz_options{.alpha = 0.01, .limits = limits},
                                  katz_options{.alpha = 0.02, .beta = -0.5, .limits = limits, .raw = true}}) {
      const check k = verify_katz(g, o, katz_centrality(g, o));
      EXPECT_TRUE(k) << "katz: " << k.reason;
    }
    const check h = verify_hits(g, {.limits = limits}, hubs_and_authorities(g, {.limits = limits}));
    EXPECT_TRUE(h) << "hits: " << h.reason;
  });
}
GOSSAMER_ON_GRAPHS(Iterations);

/// The columns of a graph: edges with weights from 0 to 8, integers or reals.
struct weighted_edges {
  std::vector<std::int64_t> from, to;
  std::vector<double> reals;
  std::vector<std::int32_t> integers;

  explicit weighted_edges(const test::edge_list& edges) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      from.push_back(edges[i].first), to.push_back(edges[i].second);
      integers.push_back(static_cast<std::int32_t>(i * 7 % 9));
      reals.push_back(static_cast<double>(i * 7 % 9) + 0.25);
    }
  }
  graph build(std::uint64_t vertices, bool directed, weight_type type) const {
    weight_column weights;
    if (type == weight_type::int32) weights = {integers.data(), integers.size(), 1, type};
    if (type == weight_type::float64) weights = {reals.data(), reals.size(), 1, type};
    return from_edges({from.data(), from.size()}, {to.data(), to.size()},
                      {.directed = directed, .vertices = vertices, .weights = weights});
  }
};

/// Computes each centrality with weights, verifies it, and returns the values and the changes.
std::vector<scores> all_by_weights(const graph_view& g) {
  const iteration_limits limits{.tolerance = 1e-9, .max_iterations = 60};
  std::vector<scores> all;
  const auto keep = [&](const check& c, const iteration_result& r, const scores& values) {
    EXPECT_TRUE(c) << c.reason;
    all.push_back(values);
    all.push_back({r.change, static_cast<double>(r.iterations)});
  };
  const eigenvector_options e{.limits = limits, .weighted = true};
  const eigenvector_result eigenvector = eigenvector_centrality(g, e);
  keep(verify_eigenvector(g, e, eigenvector), eigenvector, eigenvector.scores);
  const katz_options k{.alpha = 0.001, .limits = limits, .weighted = true};
  const katz_result katz = katz_centrality(g, k);
  keep(verify_katz(g, k, katz), katz, katz.scores);
  const hits_options h{.limits = limits};
  const hits_result hits = hubs_and_authorities(g, h);
  keep(verify_hits(g, h, hits), hits, hits.hubs);
  all.push_back(hits.authorities);
  pagerank_options p{.tolerance = 1e-9, .max_iterations = 60};
  for (const std::uint64_t every : {1, 3}) {
    p.preference.assign(g.vertices, 0);
    for (std::uint64_t v = 0; v < g.vertices; v += every) p.preference[v] = static_cast<double>(v % 5) + 0.5;
    const pagerank_result ranks = pagerank(g, p);
    keep(verify_pagerank(g, p, ranks), ranks, ranks.scores);
    p.dangling = p.preference;
    std::reverse(p.dangling.begin(), p.dangling.end());
  }
  return all;
}

// The order of additions differs in each run: chunks are dynamic, and blocks depend on the number of
// processes.
TEST(IterationsByWeights, AreTheSameToTheLastBitOnAnyNumberOfCoresAndProcesses) {
  constexpr std::uint64_t vertices = 1 << 12;
  for (const bool directed : {true, false})
    for (const weight_type type : {weight_type::none, weight_type::int32, weight_type::float64}) {
      SCOPED_TRACE(std::string(name_of(type)) + (directed ? ", directed" : ""));
      const weighted_edges edges(test::kronecker_edges(12, 5, 77));
      std::vector<scores> one;
      for (const unsigned cores : {1U, 2U, 3U, 8U})
        on_cores(cores, [&] {
          const graph g = edges.build(vertices, directed, type);
          const std::vector<scores> found = all_by_weights(g.view());
          if (cores == 1) one = found;
          EXPECT_EQ(found, one) << cores << " cores";
        });
      for (const char* cluster :
           {"processes=3 cores=2 network=qdr seed=4", "processes=4 cores=1 node=2 seed=5"}) {
        job_options o;
        o.simulate = simulation::options::parse(cluster);
        run(o, [&] {
          const graph g = edges.build(vertices, directed, type);
          EXPECT_EQ(all_by_weights(g.view()), one) << cluster;
        });
      }
    }
}

const test::edge_list k_triangles{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};

TEST(EigenvectorOf, PartsBipartiteGraphsAndNothing) {
  on_cores(2, [&] {
    const csr two(6, k_triangles, false), path(3, test::path_edges(3), false), none(2, {}, false);
    expect_near(eigenvector_centrality(two.view()).scores, scores(6, 0.4082));
    const eigenvector_result r = eigenvector_centrality(path.view(), {.limits = {.tolerance = 1e-12}});
    expect_near(r.scores, {0.5, std::sqrt(0.5), 0.5}, 1e-9);
    EXPECT_NEAR(r.eigenvalue, std::sqrt(2), 1e-9);
    expect_near(eigenvector_centrality(none.view()).scores, scores(2, std::sqrt(0.5)), 1e-12);
    const csr unequal(5, {{0, 1}, {1, 2}, {2, 0}, {3, 4}}, false);
    expect_near(eigenvector_centrality(unequal.view()).scores, {0.5774, 0.5774, 0.5774, 0, 0}, 1e-4);
    const csr empty(0, {}, false);
    EXPECT_TRUE(eigenvector_centrality(empty.view()).converged);
  });
}

TEST(EigenvectorOf, AGraphWithoutACycleDoesNotConverge) {
  const csr rows(3, test::path_edges(3), true);
  on_cores(1, [&] {
    const eigenvector_result r = eigenvector_centrality(rows.view(), {.limits = {.max_iterations = 100}});
    EXPECT_FALSE(r.converged);
    EXPECT_EQ(r.iterations, 100U);
  });
}

// Sums of squares exceed the range of exact_sum, and lengths are far from 1.
TEST(EigenvectorOf, LargeAndSmallWeights) {
  const std::vector<std::int64_t> from{0, 1, 2}, to{1, 2, 0};
  for (const double weight : {1e-30, 1e12, 1e100}) {
    const std::vector<double> weights(3, weight);
    on_cores(2, [&] {
      const graph g =
          from_edges({from.data(), 3}, {to.data(), 3},
                     {.directed = false, .weights = {weights.data(), 3, 1, weight_type::float64}});
      const eigenvector_result r = eigenvector_centrality(g.view(), {.weighted = true});
      expect_near(r.scores, scores(3, std::sqrt(1.0 / 3)), 1e-12);
      if (weight > 1) {
        EXPECT_NEAR(r.eigenvalue / weight, 2, 1e-9);
      }
    });
  }
}

TEST(KatzOf, APathByHand) {
  const csr rows(3, test::path_edges(3), true);
  on_cores(2, [&] {
    const katz_result raw = katz_centrality(rows.view(), {.raw = true});
    expect_near(raw.scores, {1, 1.1, 1.11}, 1e-12);
    EXPECT_TRUE(raw.converged);
    expect_near(katz_centrality(rows.view()).scores, {0.5390, 0.5929, 0.5983});
  });
}

TEST(KatzOf, TooLargeAnAlphaDiverges) {
  const csr rows(6, k_triangles, false);  // the largest eigenvalue is 2
  on_cores(2, [&] {
    const katz_result r = katz_centrality(rows.view(), {.alpha = 0.9});
    EXPECT_TRUE(r.diverged);
    EXPECT_FALSE(r.converged);
    EXPECT_LT(r.iterations, 1000U);
    EXPECT_TRUE(katz_centrality(rows.view(), {.alpha = 0.49}).converged);
  });
}

TEST(HitsOf, WeightsAndNothing) {
  const std::vector<std::int64_t> from{0, 0}, to{1, 2};
  const std::vector<std::int32_t> weights{2, 1};
  on_cores(2, [&] {
    const graph g =
        from_edges({from.data(), 2}, {to.data(), 2}, {.weights = {weights.data(), 2, 1, weight_type::int32}});
    const hits_result r = hubs_and_authorities(g.view());
    expect_near(r.authorities, {0, 2.0 / 3, 1.0 / 3}, 1e-12);
    expect_near(r.hubs, {1, 0, 0}, 1e-12);
    expect_near(hubs_and_authorities(g.view(), {.weighted = false}).authorities, {0, 0.5, 0.5}, 1e-12);
    const csr none(2, {}, true);
    const hits_result nothing = hubs_and_authorities(none.view());
    EXPECT_EQ(nothing.hubs, scores(2, 0));
    EXPECT_EQ(nothing.authorities, scores(2, 0));
    EXPECT_TRUE(nothing.converged);
  });
}

/// Returns the PageRank scores of weighted arcs.
scores ranks_of(const test::edge_list& arcs, const std::vector<double>& weights,
                const pagerank_options& how = {}) {
  std::vector<std::int64_t> from, to;
  for (const auto& [u, v] : arcs) from.push_back(u), to.push_back(v);
  const weight_column column = weights.empty()
                                   ? weight_column{}
                                   : weight_column{weights.data(), weights.size(), 1, weight_type::float64};
  pagerank_options exact = how;
  exact.tolerance = 1e-12;
  scores found;
  on_cores(2, [&] {
    const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()}, {.weights = column});
    const pagerank_result r = pagerank(g.view(), exact);
    const check c = verify_pagerank(g.view(), exact, r);
    EXPECT_TRUE(c) << c.reason;
    found = r.scores;
  });
  return found;
}

TEST(PagerankByWeights, AgreesWithValuesByHand) {
  expect_near(ranks_of({{0, 1}, {1, 2}, {2, 0}}, {0, 1, 1}),
              {.4744, .1844, .3412});  // dangling: all weights 0
  expect_near(ranks_of({{0, 1}, {0, 2}, {1, 0}, {2, 0}}, {1, 0, 1, 1}), {.4865, .4635, .0500});
  expect_near(ranks_of({{0, 1}, {0, 2}, {1, 0}, {2, 0}}, {5, 1, 1, 1}), {.4865, .3946, .1189});
  expect_near(ranks_of({{0, 1}, {0, 2}, {1, 0}, {2, 0}}, {5, 1, 1, 1}, {.weighted = false}),
              {.4865, .2568, .2568});
}

TEST(PagerankWithPreference, AgreesWithValuesByHand) {
  expect_near(ranks_of({{0, 1}, {1, 2}, {2, 0}}, {}, {.preference = {7, 0, 0}}), {.3887, .3304, .2809});
  expect_near(ranks_of({{0, 1}, {1, 2}}, {}, {.preference = {1, 0, 0}}), {.3887, .3304, .2809});
  expect_near(ranks_of({{0, 1}, {1, 2}}, {}, {.preference = {1, 0, 0}, .dangling = {0, 3, 0}}),
              {.1500, .4595, .3905});
}

TEST(VerifyIterations, FindWrongAnswers) {
  const csr rows(50, test::uniform_edges(50, 200, 3), false);
  const graph_view g = rows.view();
  on_cores(1, [&] {
    const auto expect_wrong = [](const auto& right, const auto& verify, auto values) {
      ASSERT_TRUE(verify(right));
      auto wrong = right;
      (wrong.*values)[7] += 1e-4;
      EXPECT_FALSE(verify(wrong));
      wrong = right;
      (wrong.*values)[7] = std::nan("");
      EXPECT_FALSE(verify(wrong));
      wrong = right;
      (wrong.*values).pop_back();
      EXPECT_FALSE(verify(wrong));
      wrong = right;
      wrong.converged = !right.converged;
      EXPECT_FALSE(verify(wrong));
      wrong = right;
      wrong.change += 1e-3;
      EXPECT_FALSE(verify(wrong));
      wrong = right;
      wrong.iterations /= 4;
      EXPECT_FALSE(verify(wrong));
    };
    expect_wrong(
        eigenvector_centrality(g),
        [&](const eigenvector_result& r) { return verify_eigenvector(g, {}, r).ok; },
        &eigenvector_result::scores);
    const katz_options katz{.alpha = 0.05};
    expect_wrong(
        katz_centrality(g, katz), [&](const katz_result& r) { return verify_katz(g, katz, r).ok; },
        &katz_result::scores);
    const auto hits = [&](const hits_result& r) { return verify_hits(g, {}, r).ok; };
    expect_wrong(hubs_and_authorities(g), hits, &hits_result::hubs);
    expect_wrong(hubs_and_authorities(g), hits, &hits_result::authorities);
  });
}

}  // namespace
}  // namespace gossamer::graph
