#include "gossamer/graph/algorithms/bfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

class Bfs : public test::on_graphs {};

TEST_P(Bfs, FollowsGraph500RulesFromAnySource) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    bfs search(rows.view());
    std::vector<vertex_id> sources = random_sources(rows.view(), 5, 1);
    sources.push_back(0);  // may have no edges
    sources.push_back(static_cast<vertex_id>(shape().vertices - 1));
    for (vertex_id source : sources) {
      const bfs_result result = search.run(source);
      const check c = verify_bfs(rows.view(), result, search.parents());
      ASSERT_TRUE(c) << "from " << source << ": " << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(Bfs);

class BfsSimulated : public test::on_clusters {
 protected:
  void SetUp() override {
    if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  }
};
GOSSAMER_ON_CLUSTERS(BfsSimulated);

/// Returns the sizes of the levels of a serial search.
std::vector<std::uint64_t> serial_levels(const csr& rows, vertex_id source) {
  std::vector<bool> seen(rows.view().vertices, false);
  seen[source] = true;
  std::vector<std::uint64_t> sizes;
  for (std::vector<vertex_id> level{source}, next; !level.empty(); level.swap(next), next.clear()) {
    sizes.push_back(level.size());
    for (const vertex_id v : level)
      for (const vertex_id n : adjacency(rows.view().out)[v])
        if (!seen[n]) seen[n] = true, next.push_back(n);
  }
  return sizes;
}

TEST_P(BfsSimulated, LevelsAreThoseOfASerialSearch) {
  constexpr std::uint64_t k_vertices = 3000, k_seed = 86;
  SCOPED_TRACE(k_seed);
  for (const std::uint64_t edges : {2500U, 40000U}) {  // almost only pushed; also pulled
    test::edge_list all = test::uniform_edges(k_vertices, edges, k_seed);
    for (vertex_id v = 1; v < 800; ++v) all.emplace_back(0, v);  // one long row
    const csr rows(k_vertices, all, false);
    std::vector<std::vector<std::uint64_t>> expected;
    const std::vector<vertex_id> sources{0, 1, 1500, k_vertices - 1};
    for (const vertex_id source : sources) expected.push_back(serial_levels(rows, source));
    run(simulated_job(), [&] {
      const graph g = test::built(all, k_vertices, false);
      bfs search(g.view());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const bfs_result found = search.run(sources[i]);
        EXPECT_EQ(found.levels, expected[i]) << edges << " edges, from " << sources[i];
        const check c = verify_bfs(g.view(), found, search.parents());
        EXPECT_TRUE(c) << edges << " edges, from " << sources[i] << ": " << c.reason;
      }
    });
  }
}

class BfsByHops : public test::on_graphs {};

// Every level counts as thin, so cores process several levels between two barriers from the first level on.
TEST_P(BfsByHops, FindsTheSameLevelsAndTrees) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    traversal_policy hops;
    hops.thin_levels = 1;
    hops.thin_vertices = ~std::uint64_t{0} / 1024;
    traversal_policy none;
    none.thin_levels = 0;
    bfs search(rows.view(), {.policy = hops}), level_by_level(rows.view(), {.policy = none});
    std::vector<vertex_id> sources = random_sources(rows.view(), 5, 3);
    sources.push_back(static_cast<vertex_id>(shape().vertices - 1));
    for (vertex_id source : sources) {
      const bfs_result result = search.run(source), expected = level_by_level.run(source);
      EXPECT_EQ(result.levels, expected.levels) << "from " << source;
      const check c = verify_bfs(rows.view(), result, search.parents());
      ASSERT_TRUE(c) << "from " << source << ": " << c.reason;
    }
  });
}
GOSSAMER_ON_GRAPHS(BfsByHops);

/// Returns three quarters of the edges of a grid, with vertices shuffled or numbered row by row.
test::edge_list holed_grid(vertex_id side, bool is_shuffled, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<vertex_id> name(std::size_t{side} * side);
  std::iota(name.begin(), name.end(), vertex_id{0});
  if (is_shuffled) std::ranges::shuffle(name, random);
  test::edge_list edges;
  for (vertex_id v = 0; v < name.size(); ++v) {
    if (v % side + 1 < side && random() % 4 != 0) edges.emplace_back(name[v], name[v + 1]);
    if (v + side < name.size() && random() % 4 != 0) edges.emplace_back(name[v], name[v + side]);
  }
  return edges;
}

class BfsOfThinLevels : public testing::TestWithParam<std::tuple<bool, unsigned>> {};

// Levels that are processed at once cross the blocks of the cores. A search that is cut short leaves them
// early.
TEST_P(BfsOfThinLevels, AreRightOverManyWindows) {
  const auto [is_shuffled, core_count] = GetParam();
  const std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  const vertex_id side = 150;
  const csr rows(side * side, holed_grid(side, is_shuffled, seed), false);
  on_cores(core_count, [&] {
    bfs search(rows.view());
    for (vertex_id source : random_sources(rows.view(), 4, seed)) {
      EXPECT_THROW(search.run(source,
                              [](const char*, std::uint64_t done, std::uint64_t) {
                                if (done == 40) throw 1;
                              }),
                   int);
      const bfs_result result = search.run(source);
      const check c = verify_bfs(rows.view(), result, search.parents());
      ASSERT_TRUE(c) << "from " << source << ": " << c.reason;
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Grids, BfsOfThinLevels,
                         testing::Combine(testing::Bool(), testing::Values(1U, 2U, 3U)));

TEST(BfsDirection, FollowsArcs) {
  const csr rows(4, {{0, 1}, {1, 2}, {3, 2}}, true);
  on_cores(2, [&] {
    bfs search(rows.view());
    const bfs_result result = search.run(0);
    EXPECT_EQ(result.levels, (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_EQ(result.reached, 3U);
    EXPECT_EQ(result.edges, 2U);
    EXPECT_EQ(search.parents()[3], k_no_vertex);
  });
}

TEST(BfsDirection, CountsUndirectedEdgesOnce) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {3, 4}}, false);
  on_cores(2, [&] {
    bfs search(rows.view());
    EXPECT_EQ(search.run(1).edges, 3U);
    EXPECT_EQ(search.run(3).edges, 1U);
  });
}

TEST(BfsProgress, ReportsEveryLevelAndStopsWhenTheHookThrows) {
  const csr rows(100, test::path_edges(100), false);
  on_cores(2, [&] {
    bfs search(rows.view());
    std::uint64_t reports = 0;
    search.run(0, [&](const char*, std::uint64_t, std::uint64_t) { ++reports; });
    EXPECT_EQ(reports, 100U);
    struct enough {};
    EXPECT_THROW(search.run(0,
                            [](const char*, std::uint64_t done, std::uint64_t) {
                              if (done == 7) throw enough{};
                            }),
                 enough);
    EXPECT_EQ(search.run(0).reached, 100U);
  });
}

TEST(BfsProgress, ASearchCutShortLeavesNothingBehind) {
  const csr rows(3000, test::star_edges(3000), false);
  on_cores(3, [&] {
    bfs search(rows.view());
    for (int round = 0; round < 2; ++round) {
      EXPECT_THROW(search.run(2999,
                              [](const char*, std::uint64_t done, std::uint64_t) {
                                if (done == 2) throw 1;
                              }),
                   int);
    }
    const bfs_result result = search.run(5);
    EXPECT_EQ(result.levels, (std::vector<std::uint64_t>{1, 1, 2998}));
    EXPECT_TRUE(verify_bfs(rows.view(), result, search.parents()));
  });
}

TEST(BfsLevels, AreReadOffTheParents) {
  const std::vector<vertex_id> parents{1, 1, 0, k_no_vertex, 2};
  EXPECT_EQ(levels_of(parents, 1), (std::vector<vertex_id>{1, 0, 2, k_no_vertex, 3}));
}

TEST(HarmonicMean, IsTheRateOfEqualWork) {
  EXPECT_DOUBLE_EQ(harmonic_mean(std::vector<double>{1, 3}), 1.5);
  EXPECT_EQ(harmonic_mean(std::vector<double>{1, 0}), 0);
  EXPECT_EQ(harmonic_mean({}), 0);
}

class VerifyBfs : public testing::Test {
 protected:
  csr rows_{6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}}, false};
  std::vector<vertex_id> parents_{0, 0, 1, 0, 2, k_no_vertex};
  bfs_result result_{.source = 0, .levels = {1, 2, 1, 1}, .reached = 5, .edges = 5};
};

TEST_F(VerifyBfs, AcceptsAnyRightTree) {
  EXPECT_TRUE(verify_bfs(rows_.view(), result_, parents_));
  parents_[2] = 3;
  EXPECT_TRUE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsAParentThatIsNoNeighbour) {
  parents_[4] = 1;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsAParentOnTheWrongLevel) {
  parents_[3] = 2;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsACycle) {
  parents_[2] = 4;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsAForgottenVertex) {
  parents_[4] = k_no_vertex;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsAnUnreachableVertexReached) {
  parents_[5] = 4;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}
TEST_F(VerifyBfs, FindsWrongCounts) {
  result_.edges = 4;
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
  result_.edges = 5;
  result_.levels = {1, 1, 2, 1};
  EXPECT_FALSE(verify_bfs(rows_.view(), result_, parents_));
}

}  // namespace
}  // namespace gossamer::graph
