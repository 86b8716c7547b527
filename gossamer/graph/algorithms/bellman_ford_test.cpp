// Compares shortest paths with weights of any sign with a serial loop over all arcs.
#include "gossamer/graph/algorithms/bellman_ford.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/store/weights.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/bellman_cases.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::graph {
namespace {

using numbers = std::vector<vertex_id>;
using test::bellman_case;

// Serial lengths and parents of a graph in this process. With a negative cycle, lengths do not converge.
struct bellman_oracle {
  std::vector<double> length;
  numbers parent;
  bool has_cycle = true;

  bellman_oracle(const graph_view& g, vertex_id source)
      : length(g.vertices, std::numeric_limits<double>::infinity()), parent(g.vertices, k_no_vertex) {
    with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
      const auto* const weight = g.out.weights_as<Weight>();
      length[source] = 0;
      for (std::uint64_t round = 0; has_cycle && round <= g.vertices; ++round) {
        has_cycle = false;
        for (std::uint64_t v = 0; v < g.vertices; ++v)
          for (std::uint64_t i = g.out.offsets[v]; i < g.out.offsets[v + 1]; ++i)
            if (length[v] + weight[i] < length[g.out.targets[i]]) {
              length[g.out.targets[i]] = length[v] + weight[i];
              has_cycle = true;
            }
      }
      if (has_cycle) return;
      parent[source] = source;
      for (numbers level{source}; !level.empty();) {  // sorted, so the smallest comes first
        numbers next;
        for (const vertex_id v : level)
          for (std::uint64_t i = g.out.offsets[v]; i < g.out.offsets[v + 1]; ++i) {
            const vertex_id n = g.out.targets[i];
            if (parent[n] != k_no_vertex || length[v] + weight[i] != length[n]) continue;
            parent[n] = v;
            next.push_back(n);
          }
        std::ranges::sort(next);
        level = std::move(next);
      }
    });
  }
};

void expect_verified(const graph_view& g, const bellman_ford_result& r) {
  const check c = r.cycle.empty() ? verify_sssp(g, r.found, r.lengths, r.parents)
                                  : verify_negative_cycle(g, r.found.source, r.cycle);
  EXPECT_TRUE(c) << c.reason;
}

TEST(BellmanFord, IsThatOfTheSerialMethod) {
  const test::temporary_folder folder;
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string path = folder.plant("g", bellman_case(seed, seed % 3 == 0, seed % 2 == 0).text());
    numbers cycle;
    for (const unsigned cores : {1U, 2U, 3U, 8U})
      test::on_cores(cores, [&] {
        const graph g = load(path, {.how = direction::directed, .weights = weight_use::kept});
        const bellman_ford_result r = bellman_ford(g.view(), 0);
        const bellman_oracle expected(g.view(), 0);
        ASSERT_EQ(r.cycle.empty(), !expected.has_cycle);
        expect_verified(g.view(), r);
        if (cores == 1) cycle = r.cycle;
        EXPECT_EQ(r.cycle, cycle);
        if (expected.has_cycle) {
          ++cycles;
          return;
        }
        EXPECT_EQ(r.lengths, expected.length);
        EXPECT_EQ(r.parents, expected.parent);
      });
  }
  EXPECT_GT(cycles, 8U);  // the source does not reach the others
}

bellman_ford_result found_in(const std::string& text, direction how = direction::directed,
                             std::optional<vertex_id> source = 0) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("g", text);
  bellman_ford_result r;
  test::on_cores(2, [&] {
    const graph g = load(path, {.how = how, .weights = weight_use::kept});
    r = bellman_ford(g.view(), source);
  });
  return r;
}

TEST(BellmanFord, NamesACycle) {
  EXPECT_EQ(found_in("0 1 1\n1 2 -3\n2 0 1\n").cycle, numbers({0, 1, 2}));
  EXPECT_EQ(found_in("0 3 1\n3 1 1\n1 2 -3\n2 3 1\n").cycle, numbers({1, 2, 3}));
  EXPECT_EQ(found_in("0 1 1\n1 2 -1\n", direction::undirected).cycle, numbers({1, 2}));
  EXPECT_TRUE(found_in("0 1 1\n1 2 -3\n2 0 2\n").cycle.empty()) << "a cycle of length 0";
  EXPECT_EQ(found_in("0 1 1\n2 3 -1\n3 2 -1\n").lengths[1], 1) << "a cycle that the source does not reach";
  EXPECT_EQ(found_in("0 1 1\n2 3 -1\n3 2 -1\n", direction::directed, {}).cycle, numbers({2, 3}));
  EXPECT_EQ(found_in("0 1 1\n1 2 -3\n2 0 2\n", direction::directed, {}).lengths,
            std::vector<double>({-1, 0, -3}));
}

TEST(BellmanFord, TakesTheFewestEdgesAndTheSmallestVertex) {
  const bellman_ford_result r = found_in("0 2 2\n0 1 2\n1 3 -1\n2 3 -1\n0 4 0\n4 3 1\n3 5 0\n0 5 1\n");
  EXPECT_EQ(r.parents, numbers({0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(r.lengths, std::vector<double>({0, 2, 2, 1, 0, 1}));
}

TEST(BellmanFord, RefusesLengthsThatAreNotExact) {
  EXPECT_THROW((void)found_in("0 1 -1.5e308\n1 2 -1.5e308\n"), error);
  EXPECT_THROW((void)found_in("0 1 1.5e308\n1 2 1.5e308\n"), error);
  EXPECT_THROW((void)found_in("0 1 1.5e308\n1 2 1.5e308\n2 3 -1.5e308\n"), error);
  EXPECT_EQ(found_in("0 1 1.5e308\n1 2 1.5e308\n0 2 1\n").lengths[2], 1)
      << "nothing takes the path that is too long";
  EXPECT_EQ(found_in("0 1 1.5e308\n1 2 1.5e308\n0 3 1\n3 4 1\n4 2 1\n").lengths[2], 3)
      << "it comes first, and does not count";
  EXPECT_EQ(found_in("0 1 -1.5e308\n1 0 -1.5e308\n").cycle, numbers({0, 1})) << "a cycle before the length";
}

TEST(BellmanFordVerifier, FindsMistakes) {
  const test::temporary_folder folder;
  const std::string good = folder.plant("g", "0 1 3\n1 2 -2\n0 2 2\n"),
                    bad = folder.plant("c", "0 1 1\n1 2 -3\n2 1 1\n2 3 1\n3 1 9\n4 5 -1\n5 4 -1\n");
  test::on_cores(1, [&] {
    const graph g = load(good, {.how = direction::directed, .weights = weight_use::kept});
    bellman_ford_result r = bellman_ford(g.view(), 0);
    ASSERT_TRUE(verify_sssp(g.view(), r.found, r.lengths, r.parents));
    EXPECT_FALSE(verify_negative_cycle(g.view(), 0, numbers({0, 1, 2})));
    r.lengths[2] = 2;
    r.parents[2] = 0;
    EXPECT_FALSE(verify_sssp(g.view(), r.found, r.lengths, r.parents));
  });
  test::on_cores(1, [&] {
    const graph g = load(bad, {.how = direction::directed, .weights = weight_use::kept});
    const bellman_ford_result r = bellman_ford(g.view(), 0);
    ASSERT_TRUE(verify_negative_cycle(g.view(), 0, r.cycle));
    EXPECT_TRUE(verify_negative_cycle(g.view(), {}, numbers{4, 5}));
    EXPECT_FALSE(verify_negative_cycle(g.view(), {}, numbers{1, 2, 3}));
    for (const numbers& wrong :
         {numbers{}, numbers{1}, numbers{1, 3}, numbers{1, 2, 3}, numbers{4, 5}, numbers{1, 9}})
      EXPECT_FALSE(verify_negative_cycle(g.view(), 0, wrong));
  });
}

class BellmanFordSimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(BellmanFordSimulated);

TEST_P(BellmanFordSimulated, IsTheAnswerOfOneProcess) {
  const test::temporary_folder folder;
  for (const std::uint64_t seed : {1U, 2U, 3U, 6U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string path = folder.plant("g", bellman_case(seed, seed % 3 == 0, seed % 2 == 0).text());
    bellman_ford_result one, many;
    const auto search = [&](bellman_ford_result& r) {
      const graph g = load(path, {.how = direction::directed, .weights = weight_use::kept});
      r = bellman_ford(g.view(), 0);
      expect_verified(g.view(), r);
    };
    test::on_cores(1, [&] { search(one); });
    run(simulated_job(), [&] { search(many); });
    EXPECT_EQ(one.cycle, many.cycle);
    EXPECT_EQ(one.lengths, many.lengths);
    EXPECT_EQ(one.parents, many.parents);
    EXPECT_EQ(one.found.steps, many.found.steps);
  }
}

}  // namespace
}  // namespace gossamer::graph
