// Compares shortest paths from many vertices with those of the algorithm of Bellman and Ford from each.
#include "gossamer/graph/algorithms/johnson.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/bellman_ford.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/bellman_cases.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::graph {
namespace {

using numbers = std::vector<vertex_id>;

numbers all_vertices(const graph_view& g) {
  numbers all(g.vertices);
  std::iota(all.begin(), all.end(), vertex_id{0});
  return all;
}

void expect_same(const johnson_result& a, const johnson_result& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.cycle, b.cycle);
}

/// Expects that paths from some sources are those of a separate search from each.
void expect_rows_of_bellman_ford(const graph_view& g, const numbers& sources, const johnson_result& r) {
  std::size_t row = 0;
  for (const vertex_id source : sources) {
    const bellman_ford_result one = bellman_ford(g, source);
    ASSERT_TRUE(one.cycle.empty());
    for (vertex_id v = 0; v < g.vertices; ++v) {
      if (one.parents[v] == k_no_vertex) continue;
      ASSERT_LT(row, r.from.size());
      ASSERT_EQ(r.from[row], source);
      ASSERT_EQ(r.to[row], v);
      ASSERT_EQ(r.length[row], one.lengths[v]);
      ASSERT_EQ(r.parent[row], one.parents[v]) << "from " << source << " to " << v;
      ++row;
    }
  }
  EXPECT_EQ(row, r.from.size());
}

TEST(Johnson, IsBellmanAndFordsMethodFromEachVertex) {
  const test::temporary_folder folder;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string path = folder.plant("g", test::bellman_case(seed, false, seed % 2 == 0).text());
    johnson_result first;
    for (const unsigned cores : {1U, 3U, 8U})
      test::on_cores(cores, [&] {
        const graph g = load(path, {.how = direction::directed, .weights = weight_use::kept});
        const numbers sources = all_vertices(g.view());
        const johnson_result r = johnson(g.view(), sources);
        const check c = verify_johnson(g.view(), sources, r);
        EXPECT_TRUE(c) << c.reason;
        if (cores == 1) {
          expect_rows_of_bellman_ford(g.view(), sources, r);
          first = r;
        }
        expect_same(r, first);
        EXPECT_EQ(r.searched, r.from.size()) << "the nearest first, by the potentials";
      });
  }
}

johnson_result found_in(const std::string& text, const numbers& sources,
                        direction how = direction::directed) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("g", text);
  johnson_result r;
  test::on_cores(2, [&] {
    const graph g = load(path, {.how = how, .weights = weight_use::kept});
    r = johnson(g.view(), sources);
    if (!r.cycle.empty()) return;
    const check c = verify_johnson(g.view(), sources, r);
    EXPECT_TRUE(c) << c.reason;
  });
  return r;
}

TEST(Johnson, TakesSourcesInTheirOrder) {
  const johnson_result r = found_in("0 1 3\n1 2 -2\n0 2 2\n", {2, 0, 0});
  EXPECT_EQ(r.from, numbers({2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(r.to, numbers({2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(r.length, std::vector<double>({0, 0, 3, 1, 0, 3, 1}));
  EXPECT_EQ(r.parent, numbers({2, 0, 0, 1, 0, 0, 1}));
  EXPECT_TRUE(found_in("0 1 3\n", {}).from.empty());
}

TEST(Johnson, CountsEdgesWithoutWeightsAndPositiveOnesBothWays) {
  EXPECT_EQ(found_in("0 1\n1 2\n", {0}).length, std::vector<double>({0, 1, 2}));
  EXPECT_EQ(found_in("0 1 0.5\n1 2 0.25\n", {2}, direction::undirected).length,
            std::vector<double>({0.75, 0.25, 0}));
}

TEST(Johnson, NamesACycleWhereverItIs) {
  EXPECT_EQ(found_in("0 1 1\n2 3 -2\n3 2 1\n", {0}).cycle, numbers({2, 3}));
  EXPECT_EQ(found_in("0 1 1\n1 2 -1\n", {0}, direction::undirected).cycle, numbers({1, 2}));
  EXPECT_TRUE(found_in("0 1 1\n1 2 -3\n2 0 2\n", {0}).cycle.empty()) << "a cycle of length 0";
}

// The last vertex makes all potentials about -1e300, beside which other weights are lost: the search settles
// vertices in any order. Each diamond would double the settlements behind it.
TEST(Johnson, HasLengthsThatPotentialsRoundAway) {
  const test::temporary_folder folder;
  std::string text;
  constexpr int k_diamonds = 22;
  for (int i = k_diamonds; i > 0; --i)
    text += fmt::format("{} {} {}.0\n{} {} 0.0\n{} {} 0.0\n", i, i - 1, std::int64_t{1} << i, i, 100 + i,
                        100 + i, i - 1);
  for (int i = 0; i <= k_diamonds; ++i) text += fmt::format("500 {} -1e300\n500 {} -1e300\n", i, 100 + i);
  on_cores(2, [&] {
    const graph g = load(folder.plant("g", text), {.how = direction::directed, .weights = weight_use::kept});
    const numbers sources{k_diamonds};
    expect_rows_of_bellman_ford(g.view(), sources, johnson(g.view(), sources));
  });
}

TEST(Johnson, RefusesLengthsThatAreNotExact) {
  EXPECT_THROW((void)found_in("0 1 1.5e308\n1 2 1.5e308\n", {0}), error);
  EXPECT_THROW((void)found_in("0 1 -1.5e308\n1 2 -1.5e308\n", {0}), error);
  EXPECT_EQ(found_in("0 1 1.5e308\n1 2 1.5e308\n0 2 1\n", {0}).length[2], 1);
}

TEST(JohnsonVerifier, FindsMistakes) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("g", "0 1 3\n1 2 -2\n0 2 2\n");
  test::on_cores(1, [&] {
    const graph g = load(path, {.how = direction::directed, .weights = weight_use::kept});
    const numbers sources{0, 1, 2};
    const johnson_result right = johnson(g.view(), sources);
    ASSERT_TRUE(verify_johnson(g.view(), sources, right));
    johnson_result length = right, parent = right, target = right, less = right, more = right, other = right;
    length.length[2] = 2;
    parent.parent[2] = 0;
    target.to[1] = 7;
    for (auto* each : {&less.from, &less.to, &less.parent}) each->pop_back();
    less.length.pop_back();
    for (auto* each : {&more.from, &more.to, &more.parent}) each->push_back(2);
    more.length.push_back(0);
    other.from[0] = 1;
    for (const auto& wrong : {length, parent, target, less, more, other})
      EXPECT_FALSE(verify_johnson(g.view(), sources, wrong));
  });
}

class JohnsonSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(JohnsonSimulated);

TEST_P(JohnsonSimulated, IsTheAnswerOfOneProcess) {
  const test::temporary_folder folder;
  for (const std::uint64_t seed : {1U, 2U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string path = folder.plant("g", test::bellman_case(seed, false, seed % 2 == 0).text());
    johnson_result one, many;
    const auto search = [&](johnson_result& r) {
      const graph g = load(path, {.how = direction::directed, .weights = weight_use::kept});
      r = johnson(g.view(), numbers{1, 0, 1, static_cast<vertex_id>(g.view().vertices - 1)});
    };
    test::on_cores(1, [&] { search(one); });
    run(simulated_job(), [&] { search(many); });
    expect_same(one, many);
  }
}

}  // namespace
}  // namespace gossamer::graph
