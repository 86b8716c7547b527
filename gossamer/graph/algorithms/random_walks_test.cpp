#include "gossamer/graph/algorithms/random_walks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

using numbers = std::vector<vertex_id>;

class RandomWalks : public test::on_graphs {};

TEST_P(RandomWalks, TakeTheStepsThatAreDrawn) {
  const csr rows = shape().build();
  const auto last = static_cast<vertex_id>(rows.view().vertices - 1);
  on_cores(core_count(), [&] {
    for (const random_walk_options& o :
         {random_walk_options{.walks = 2, .steps = 5, .seed = 3},
          random_walk_options{.starts = {last, 0, last}, .walks = 3, .steps = 20}}) {
      const check c = verify_random_walks(rows.view(), o, random_walks(rows.view(), o));
      EXPECT_TRUE(c) << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(RandomWalks);

TEST(RandomWalksOf, AWalkEndsWhereNoArcLeadsOn) {
  const csr rows(3, {{0, 1}, {1, 2}}, true);
  on_cores(2, [&] {
    const random_walks_result r = random_walks(rows.view(), {.starts = {0}, .steps = 5});
    EXPECT_EQ(r.vertices, numbers({0, 1, 2, k_no_vertex, k_no_vertex, k_no_vertex}));
    EXPECT_EQ(r.ended, 1U);
    EXPECT_EQ(random_walks(rows.view(), {.starts = {2}, .steps = 0}).vertices, numbers({2}));
  });
}

TEST(RandomWalksOf, AStartHasTheSameWalksAlone) {
  const csr rows(400, test::uniform_edges(400, 2000, 8), false);
  on_cores(3, [&] {
    const auto all = random_walks(rows.view(), {.walks = 2, .steps = 8, .seed = 5}).vertices;
    const auto one = random_walks(rows.view(), {.starts = {17}, .walks = 2, .steps = 8, .seed = 5}).vertices;
    EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + 17 * 2 * 9));
    EXPECT_NE(random_walks(rows.view(), {.starts = {17}, .walks = 2, .steps = 8, .seed = 6}).vertices, one);
  });
}

TEST(RandomWalksOf, AVertexGivenTwiceHasOtherWalksTheSecondTime) {
  const csr rows(400, test::uniform_edges(400, 2000, 8), false);
  on_cores(2, [&] {
    const auto twice = random_walks(rows.view(), {.starts = {17, 17}, .walks = 2, .steps = 8}).vertices;
    EXPECT_EQ(random_walks(rows.view(), {.starts = {17}, .walks = 4, .steps = 8}).vertices, twice);
    const auto half = static_cast<std::ptrdiff_t>(twice.size() / 2);
    EXPECT_FALSE(std::equal(twice.begin(), twice.begin() + half, twice.begin() + half));
  });
}

/// Returns a star: arcs from 0 to 1, 2 and 3 have weights 0, 1 and 3; arcs back have weight 1.
graph star() {
  const std::vector<std::int64_t> from{0, 0, 0, 1, 2, 3}, to{1, 2, 3, 0, 0, 0};
  const std::vector<std::int32_t> weights{0, 1, 3, 1, 1, 1};
  return from_edges({from.data(), from.size()}, {to.data(), to.size()},
                    {.weights = {weights.data(), weights.size(), 1, weight_type::int32}});
}

TEST(RandomWalksOf, WeightsAreProbabilities) {
  on_cores(2, [&] {
    const graph g = star();
    for (const bool by_weights : {false, true}) {
      const random_walk_options o{.starts = {0}, .walks = 12000, .steps = 1, .by_weights = by_weights};
      const random_walks_result r = random_walks(g.view(), o);
      const check c = verify_random_walks(g.view(), o, r);
      EXPECT_TRUE(c) << c.reason;
      std::vector<std::uint64_t> count(4);
      for (std::uint64_t walk = 0; walk < r.walks; ++walk) ++count[r.vertices[2 * walk + 1]];
      const numbers expected = by_weights ? numbers{0, 0, 3000, 9000} : numbers{0, 4000, 4000, 4000};
      for (int v = 0; v < 4; ++v)  // seven standard deviations
        EXPECT_LE(std::abs(static_cast<double>(count[v]) - expected[v]), expected[v] == 0 ? 0 : 365) << v;
    }
  });
}

TEST(RandomWalksOf, WeightsMayAddUpBeyondDoubles) {
  const std::vector<std::int64_t> from{0, 0, 1, 2}, to{1, 2, 0, 0};
  const std::vector<double> weights{1e308, 1e308, 1, 1};
  on_cores(2, [&] {
    const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()},
                               {.weights = {weights.data(), weights.size(), 1, weight_type::float64}});
    const random_walk_options o{.walks = 20, .steps = 6, .by_weights = true};
    const check c = verify_random_walks(g.view(), o, random_walks(g.view(), o));
    EXPECT_TRUE(c) << c.reason;
  });
}

TEST(RandomWalksOf, WeightsHaveToBeThere) {
  const csr rows(2, {{0, 1}}, false);
  const std::vector<std::int64_t> from{0}, to{1};
  const std::vector<std::int32_t> weights{-1};
  on_cores(1, [&] {
    EXPECT_THROW((void)random_walks(rows.view(), {.by_weights = true}), error);
    const graph g =
        from_edges({from.data(), 1}, {to.data(), 1}, {.weights = {weights.data(), 1, 1, weight_type::int32}});
    EXPECT_THROW((void)random_walks(g.view(), {.by_weights = true}), error);
  });
}

TEST(RandomWalksVerifier, FindsMistakes) {
  const csr rows(3, {{0, 1}, {1, 2}, {2, 0}}, false);
  on_cores(1, [&] {
    const random_walk_options o{.steps = 3};
    const random_walks_result right = random_walks(rows.view(), o);
    ASSERT_TRUE(verify_random_walks(rows.view(), o, right));
    random_walks_result start = right, step = right, fewer = right, ended = right;
    start.vertices[0] = 1;
    step.vertices[2] = 3 - step.vertices[1] - step.vertices[2];  // the third vertex of the triangle
    fewer.vertices.pop_back();
    ++ended.ended;
    for (const auto& wrong : {start, step, fewer, ended})
      EXPECT_FALSE(verify_random_walks(rows.view(), o, wrong));
  });
}

class RandomWalksSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(RandomWalksSimulated);

TEST_P(RandomWalksSimulated, AreThoseOfOneProcess) {
  const vertex_id n = 1500;
  std::vector<std::int64_t> from, to;
  std::vector<std::int32_t> weights;
  for (const auto& e : test::uniform_edges(n, 4000, 3)) {
    from.push_back(e.first), to.push_back(e.second);
    weights.push_back(static_cast<std::int32_t>(e.first % 7));
  }
  for (const bool by_weights : {false, true}) {
    const random_walk_options walks{.steps = 6, .by_weights = by_weights, .seed = 9};
    random_walks_result found[2];
    for (const bool simulated : {false, true}) {
      job_options o;
      o.cores = 2;
      if (simulated) o = simulated_job();
      run(o, [&] {
        const graph g =
            from_edges({from.data(), from.size()}, {to.data(), to.size()},
                       {.vertices = n, .weights = {weights.data(), weights.size(), 1, weight_type::int32}});
        found[simulated] = random_walks(g.view(), walks);
        const check c = verify_random_walks(g.view(), walks, found[simulated]);
        EXPECT_TRUE(c) << c.reason;
      });
    }
    EXPECT_EQ(found[0].vertices, found[1].vertices);
  }
}

}  // namespace
}  // namespace gossamer::graph
