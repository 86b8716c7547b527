#include "gossamer/graph/algorithms/closeness.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

/// Returns `count` random vertices, with repetitions.
std::vector<vertex_id> some_vertices(std::uint64_t vertices, std::uint64_t count, std::uint64_t seed) {
  xoshiro256 random(seed);
  std::vector<vertex_id> some;
  for (; count > 0; --count) some.push_back(static_cast<vertex_id>(bounded(random, vertices)));
  return some;
}

class Closeness : public test::on_graphs {};

// One full batch and a smaller one. Searches on one core each and on all cores must agree to the last bit.
TEST_P(Closeness, AgreesWithSerialSearchesPerCoreAndByLevels) {
  const csr rows = shape().build();
  const std::vector<vertex_id> sources = some_vertices(shape().vertices, 70, core_count());
  on_cores(core_count(), [&] {
    for (const path_direction direction : {path_direction::incoming, path_direction::outgoing}) {
      const distance_options per_core{.sources = sources, .direction = direction},
          by_levels{.sources = sources, .direction = direction, .most_bytes = 0};
      const distances_result found = sum_distances(rows.view(), per_core);
      const check c = verify_distances(rows.view(), per_core, found);
      EXPECT_TRUE(c) << c.reason;
      EXPECT_EQ(found.distances, sum_distances(rows.view(), by_levels).distances);
    }
    const closeness_options few{.sources = sources};
    const check c = verify_closeness(rows.view(), few, closeness(rows.view(), few));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Closeness);

// Small frontiers are pulled, and large ones pushed, to test both directions.
TEST(DistancesOf, ADirectionDoNotDependOnHowTheyAreFound) {
  for (const bool directed : {false, true}) {
    const csr rows(1 << 11, test::kronecker_edges(11, 8, 3), directed);
    const std::vector<vertex_id> sources = some_vertices(1 << 11, 130, 4);
    on_cores(3, [&] {
      std::vector<distance_summary> first;
      for (const std::uint64_t over : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 40})
        for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
          traversal_policy policy;
          policy.pull_words_over = over;
          const auto found =
              sum_distances(rows.view(), {.sources = sources, .policy = policy, .most_bytes = bytes})
                  .distances;
          if (first.empty()) first = found;
          EXPECT_EQ(found, first) << over;
        }
    });
  }
}

TEST(ClosenessOf, AllVerticesAgreesWithSerialSearches) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const bool directed = seed % 2 == 0;
    const std::uint64_t n = 100 + 30 * seed;
    const csr rows(n, test::uniform_edges(n, n * (1 + seed % 3), seed), directed);
    on_cores(1 + static_cast<unsigned>(seed % 3), [&] {
      for (const bool wf_improved : {true, false}) {
        const closeness_options all{.wf_improved = wf_improved};
        const check c = verify_closeness(rows.view(), all, closeness(rows.view(), all));
        EXPECT_TRUE(c) << c.reason << ", seed " << seed;
      }
      const check c = verify_eccentricities(rows.view(), {}, eccentricities(rows.view()));
      EXPECT_TRUE(c) << c.reason << ", seed " << seed;
    });
  }
}

using scores = std::vector<double>;

// Arcs 0 -> 1 -> 2: NetworkX uses the paths that lead to a vertex.
TEST(ClosenessOf, ADirectedPathCountsIncomingDistances) {
  const csr rows(3, test::path_edges(3), true);
  on_cores(2, [&] {
    const closeness_result r = closeness(rows.view());
    EXPECT_EQ(r.closeness, (scores{0, 0.5, 2.0 / 3}));
    EXPECT_EQ(r.harmonic, (scores{0, 1, 1.5}));
    EXPECT_EQ(closeness(rows.view(), {.direction = path_direction::outgoing}).closeness,
              (scores{2.0 / 3, 0.5, 0}));
    EXPECT_EQ(closeness(rows.view(), {.wf_improved = false}).closeness, (scores{0, 1, 2.0 / 3}));
    EXPECT_EQ(eccentricities(rows.view()).eccentricity, (std::vector<std::uint64_t>{2, 1, 0}));
  });
}

TEST(ClosenessOf, NoVertexAndOneVertexIsZero) {
  const csr none(0, {}, true), one(1, {}, false);
  on_cores(3, [&] {
    EXPECT_TRUE(closeness(none.view()).closeness.empty());
    EXPECT_TRUE(eccentricities(none.view()).eccentricity.empty());
    EXPECT_EQ(closeness(one.view()).closeness, scores{0});
    EXPECT_EQ(closeness(one.view()).harmonic, scores{0});
    EXPECT_EQ(closeness(one.view()).distances[0].reached, 1U);
    const std::vector<vertex_id> nothing;
    EXPECT_TRUE(closeness(one.view(), {.sources = nothing}).closeness.empty());
  });
}

TEST(ClosenessOf, ManyBatchesReportUpToAllSources) {
  const csr rows(20000, test::uniform_edges(20000, 100000, 5), false);
  const std::vector<vertex_id> sources = some_vertices(20000, 1000, 6);
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30})
    on_cores(2, [&] {
      std::uint64_t last = 0, reports = 0;
      sum_distances(rows.view(), {.sources = sources, .most_bytes = bytes},
                    [&](const char*, std::uint64_t done, std::uint64_t total) {
                      EXPECT_EQ(total, 1000U);
                      EXPECT_GE(done, last);
                      last = done;
                      ++reports;
                    });
      EXPECT_EQ(last, 1000U);
      EXPECT_GE(reports, bytes == 0 ? 16U : 1U);
    });
}

struct stopped {};

TEST(ClosenessOf, AnInterruptedSearchLeavesNothingBehind) {
  const csr rows(3000, test::path_edges(3000), false);
  on_cores(2, [&] {
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30})
      EXPECT_THROW(sum_distances(rows.view(), {.most_bytes = bytes},
                                 [](const char*, std::uint64_t, std::uint64_t) { throw stopped(); }),
                   stopped);
    const distance_options few{.sources = std::vector<vertex_id>{5, 2999}};
    EXPECT_TRUE(verify_distances(rows.view(), few, sum_distances(rows.view(), few)));
  });
}

TEST(VerifyCloseness, FindsWhatIsWrong) {
  const csr rows(200, test::uniform_edges(200, 300, 8), false);
  on_cores(1, [&] {
    const closeness_result right = closeness(rows.view());
    EXPECT_TRUE(verify_closeness(rows.view(), {}, right));
    EXPECT_FALSE(verify_closeness(rows.view(), {.wf_improved = false}, right));
    closeness_result r = right;
    r.closeness[7] *= 1 + 1e-6;
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));
    r = right, r.harmonic[199] += 1e-6;
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));
    r = right, ++r.distances[3].sum;
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));
    r = right, ++r.distances[3].reached;
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));
    r = right, ++r.distances[3].farthest;
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));
    r = right, r.closeness.pop_back();
    EXPECT_FALSE(verify_closeness(rows.view(), {}, r));

    const eccentricity_result eccentric = eccentricities(rows.view());
    EXPECT_TRUE(verify_eccentricities(rows.view(), {}, eccentric));
    for (const int mistake : {0, 1, 2, 3}) {
      eccentricity_result wrong = eccentric;
      wrong.eccentricity[9] += mistake == 0;
      wrong.largest += mistake == 1;
      wrong.smallest += mistake == 2;
      wrong.reaches_all ^= mistake == 3;
      EXPECT_FALSE(verify_eccentricities(rows.view(), {}, wrong)) << mistake;
    }
  });
}

/// Returns undirected graphs in which bounds give the eccentricities of all vertices, of some, and of few.
std::vector<test::named_graph> graphs_to_bound() {
  const auto ring = [] {
    test::edge_list edges = test::path_edges(1100);
    edges.emplace_back(1099, 0);
    return edges;
  };
  const auto grid_and_paths = [] {  // and isolated vertices
    test::edge_list edges = test::shuffled(test::grid_edges(30, 30), 900, 2);
    for (const auto& e : test::path_edges(300)) edges.emplace_back(e.first + 1000, e.second + 1000);
    for (vertex_id v = 1320; v < 1400; v += 2) edges.emplace_back(v, v + 1);
    return edges;
  };
  return {{"star", 1500, [] { return test::star_edges(1500); }, false},
          {"ring", 1100, ring, false},
          {"grid", 1600, [] { return test::grid_edges(40, 40); }, false},
          {"components", 1500, grid_and_paths, false},
          {"uniform", 1300, [] { return test::uniform_edges(1300, 2600, 3); }, false},
          {"kronecker", 1 << 11, [] { return test::kronecker_edges(11, 4, 4); }, false}};
}

TEST(EccentricitiesOf, AllVerticesAgreeWithSerialSearches) {
  for (const test::named_graph& shape : graphs_to_bound()) {
    const csr rows = shape.build();
    std::vector<std::uint64_t> first;
    for (const unsigned cores : {1U, 2U, 3U})
      on_cores(cores, [&] {
        std::uint64_t last = 0;
        const eccentricity_result found =
            eccentricities(rows.view(), {}, [&](const char* phase, std::uint64_t done, std::uint64_t total) {
              if (std::string(phase) != "eccentricities") return;
              EXPECT_EQ(total, shape.vertices);
              EXPECT_GE(done, last);
              last = done;
            });
        if (first.empty()) {
          const check c = verify_eccentricities(rows.view(), {}, found);
          EXPECT_TRUE(c) << c.reason << ", " << shape.name;
          first = found.eccentricity;
        }
        EXPECT_EQ(found.eccentricity, first) << shape.name << " on " << cores;
      });
  }
}

class ClosenessSimulated : public test::on_clusters {};
INSTANTIATE_TEST_SUITE_P(Clusters, ClosenessSimulated,
                         ::testing::Values("processes=1 cores=3", "processes=2 cores=2",
                                           "processes=4 cores=1 seed=2", "processes=4 cores=1 node=2 seed=3",
                                           "processes=3 cores=2 network=qdr faults=all seed=4",
                                           "processes=3 cores=2 network=qdr faults=all seed=5"));

// One process computes the same values, to the last bit.
TEST_P(ClosenessSimulated, IsTheSameAsInOneProcess) {
  for (const bool directed : {false, true}) {
    const test::edge_list edges = test::kronecker_edges(11, 4, 21);
    const csr rows(1 << 11, edges, directed);
    const std::vector<vertex_id> sources = some_vertices(1 << 11, 80, 22);
    std::vector<distance_summary> expected;
    on_cores(1, [&] { expected = sum_distances(rows.view(), {.sources = sources}).distances; });
    run(simulated_job(), [&] {
      const graph g = test::built(edges, 1 << 11, directed);
      for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        const distance_options some{.sources = sources, .most_bytes = bytes};
        const distances_result found = sum_distances(g.view(), some);
        EXPECT_EQ(found.distances, expected) << bytes;
        const check c = verify_distances(g.view(), some, found);
        EXPECT_TRUE(c) << c.reason;
      }
      const check c = verify_eccentricities(g.view(), {}, eccentricities(g.view()));
      EXPECT_TRUE(c) << c.reason;
    });
  }
}

TEST(Eccentricities, AreTheSameWhereOneCoreGoesOnAlone) {
  const csr rows(1600, test::grid_edges(40, 40), false);
  on_cores(3, [&] {
    std::vector<std::vector<std::uint64_t>> found;
    for (const std::uint64_t alone : {0, 100, 1 << 20}) {
      distance_options how;
      how.policy.alone_arcs = alone;
      found.push_back(eccentricities(rows.view(), how).eccentricity);
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
    EXPECT_EQ(found[0].front(), 78U);
  });
}

}  // namespace
}  // namespace gossamer::graph
