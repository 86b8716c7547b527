#include "gossamer/graph/algorithms/pagerank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
  return sum;
}

class Pagerank : public test::on_graphs {};

TEST_P(Pagerank, AgreesWithSerialPowerIteration) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    for (const double tolerance :
         {1e-4, 1e-5, 1e-6, 1e-10}) {  // contributions in float, float, double, double
      const pagerank_options options{.tolerance = tolerance};
      const pagerank_result result = pagerank(rows.view(), options);
      EXPECT_TRUE(result.converged);
      const check c = verify_pagerank(rows.view(), options, result);
      EXPECT_TRUE(c) << "to " << tolerance << ": " << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(Pagerank);

TEST(PagerankOf, AnEmptyGraphIsEmpty) {
  const csr rows(0, {}, true);
  on_cores(2, [&] {
    const pagerank_result result = pagerank(rows.view());
    EXPECT_TRUE(result.scores.empty());
    EXPECT_TRUE(result.converged);
  });
}

// Chunks are dynamic: with several cores, each run divides the vertices differently among them.
TEST(PagerankOf, AnswersAreTheSameToTheLastBitOnAnyNumberOfCores) {
  const csr rows(20'000, test::uniform_edges(20'000, 120'000, 7), true);
  std::vector<double> scores;
  double change = 0;
  for (const unsigned n : {1U, 2U, 3U, 8U, 8U})
    on_cores(n, [&] {
      const pagerank_result result = pagerank(rows.view(), {.tolerance = 1e-9});
      if (n == 1) {
        scores = result.scores;
        change = result.change;
      }
      EXPECT_EQ(result.scores, scores) << n << " cores";
      EXPECT_EQ(result.change, change) << n << " cores";
    });
}

// 0 -> 1, 1 dangling: a = 0.15/2 + 0.85 b/2, b = 0.15/2 + 0.85 (a + b/2).
TEST(PagerankOf, ADanglingVertexIsSpreadEvenly) {
  const csr rows(2, {{0, 1}}, true);
  on_cores(1, [&] {
    const pagerank_result result = pagerank(rows.view(), {.tolerance = 1e-14});
    const double a = 1 / (2 + 0.85);
    EXPECT_NEAR(result.scores[0], a, 1e-12);
    EXPECT_NEAR(result.scores[1], 1 - a, 1e-12);
  });
}

TEST(PagerankOf, ACycleIsUniformAfterOneIteration) {
  test::edge_list edges = test::path_edges(1000);
  edges.emplace_back(999, 0);
  const csr rows(1000, edges, true);
  on_cores(3, [&] {
    const pagerank_result result = pagerank(rows.view());
    EXPECT_EQ(result.iterations, 1U);
    for (double score : result.scores) EXPECT_NEAR(score, 1e-3, 1e-9);
  });
}

TEST(PagerankLimits, MaxIterationsEndARunThatHasNotConverged) {
  const csr rows(100, test::star_edges(100), false);
  on_cores(2, [&] {
    const pagerank_result result = pagerank(rows.view(), {.tolerance = 1e-12, .max_iterations = 3});
    EXPECT_EQ(result.iterations, 3U);
    EXPECT_FALSE(result.converged);
    EXPECT_GT(result.change, 1e-12);
  });
}

// The error of float contributions is below the bound in pagerank.cpp. A star is a bad case: the
// contributions of all leaves are rounded in the same direction.
TEST(PagerankPrecision, FloatContributionsMoveScoresLessThanTheBound) {
  const std::uint64_t seed = 31;
  for (const csr& rows :
       {csr(1 << 13, test::kronecker_edges(13, 16, seed), false), csr(5000, test::star_edges(5000), false)}) {
    on_cores(2, [&] {
      const pagerank_result in_float = pagerank(rows.view(), {.tolerance = 1e-5});
      const pagerank_result in_double =
          pagerank(rows.view(), {.tolerance = 1e-15, .max_iterations = in_float.iterations});
      ASSERT_EQ(in_float.iterations, in_double.iterations) << "seed " << seed;
      EXPECT_LT(distance(in_float.scores, in_double.scores), 3.4e-7) << "seed " << seed;
      EXPECT_NE(distance(in_float.scores, in_double.scores), 0) << "both ran in the same precision";
    });
  }
}

TEST(VerifyPagerank, FindsAWrongScoreAndAWrongSum) {
  const csr rows(50, test::path_edges(50), false);
  on_cores(1, [&] {
    const pagerank_result right = pagerank(rows.view());
    EXPECT_TRUE(verify_pagerank(rows.view(), {}, right));
    pagerank_result wrong = right;
    std::swap(wrong.scores[0], wrong.scores[1]);
    EXPECT_FALSE(verify_pagerank(rows.view(), {}, wrong));
    wrong = right;
    wrong.scores[7] += 1e-4;
    EXPECT_FALSE(verify_pagerank(rows.view(), {}, wrong));
    wrong = right;
    wrong.converged = false;
    EXPECT_FALSE(verify_pagerank(rows.view(), {}, wrong));
  });
}

}  // namespace
}  // namespace gossamer::graph
