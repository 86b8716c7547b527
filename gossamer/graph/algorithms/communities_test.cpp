// Verifies communities on several numbers of cores and processes, and compares them with known ones.
#include "gossamer/graph/algorithms/communities.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::edge_list;
using test::on_cores;

/// Limits of arcs up to which a process computes a level alone: the default, never, and small levels.
constexpr std::optional<std::uint64_t> k_alone_or_not[] = {{}, 0, 200};
constexpr community_method k_all_methods[] = {community_method::leiden, community_method::louvain,
                                              community_method::labels};

std::string described(const community_options& o) {
  return "method " + std::to_string(static_cast<int>(o.method)) + ", resolution " +
         std::to_string(o.resolution) + (o.small_arcs ? ", small " + std::to_string(*o.small_arcs) : "");
}

/// Finds communities, and expects that the verifier accepts them.
communities_result right_communities(const graph_view& g, const community_options& o) {
  communities_result r = find_communities(g, o);
  const check c = verify_communities(g, o, r);
  EXPECT_TRUE(c) << c.reason << ", " << described(o);
  return r;
}

class Communities : public test::on_graphs {};

TEST_P(Communities, AreRightAndTheSameOnOneCore) {
  const csr rows = shape().build();
  for (const community_method method : k_all_methods)
    for (const std::uint64_t small : {0, 2000}) {
      const community_options o{.method = method, .seed = 3, .small_arcs = small};
      communities_result here, alone;
      on_cores(core_count(), [&] { here = right_communities(rows.view(), o); });
      EXPECT_TRUE(here.converged) << described(o);
      if (core_count() == 1) continue;
      on_cores(1, [&] { alone = find_communities(rows.view(), o); });
      EXPECT_EQ(here.groups.component, alone.groups.component) << described(o);
      EXPECT_EQ(here.modularity, alone.modularity) << described(o);
      EXPECT_EQ(here.rounds, alone.rounds) << described(o);
    }
}
GOSSAMER_ON_GRAPHS(Communities);

using community_names = std::vector<vertex_id>;

communities_result communities_of(const csr& rows, const community_options& o = {}) {
  communities_result found;
  on_cores(2, [&] { found = right_communities(rows.view(), o); });
  return found;
}

const edge_list k_two_triangles{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}};

TEST(CommunitiesOf, AnEmptyGraphAreNone) {
  const communities_result r = communities_of(csr(0, {}, false));
  EXPECT_EQ(r.groups.components, 0U);
  EXPECT_FALSE(r.modularity);
}

TEST(CommunitiesOf, AGraphWithoutEdgesAreItsVertices) {
  const communities_result r = communities_of(csr(3, {}, true));
  EXPECT_EQ(r.groups.component, community_names({0, 1, 2}));
  EXPECT_FALSE(r.modularity);
}

TEST(CommunitiesOf, TwoTrianglesWithABridgeAreTheTriangles) {
  for (const bool directed : {false, true})
    for (const community_method method : k_all_methods)
      for (const auto small : k_alone_or_not) {
        const community_options o{.method = method, .small_arcs = small};
        const communities_result r = communities_of(csr(6, k_two_triangles, directed), o);
        if (method == community_method::labels) continue;  // one community is also stable
        EXPECT_EQ(r.groups.component, community_names({0, 0, 0, 3, 3, 3})) << described(o);
        EXPECT_NEAR(*r.modularity, directed ? 0.3673469387755102 : 0.35714285714285715, 1e-15);
      }
}

TEST(CommunitiesOf, ResolutionMakesFewerOrMore) {
  const csr rows(6, k_two_triangles, false);
  for (const community_method method : {community_method::leiden, community_method::louvain}) {
    // With resolution 0, each connected component is one community.
    const communities_result all = communities_of(rows, {.method = method, .resolution = 0});
    EXPECT_EQ(all.groups.components, 1U);
    EXPECT_DOUBLE_EQ(*all.modularity, 1);
    const communities_result none = communities_of(rows, {.method = method, .resolution = 100});
    EXPECT_EQ(none.groups.components, 6U);
  }
}

/// Returns a ring of cliques of so many vertices, each with an edge to the next one.
edge_list ring_of_cliques(vertex_id cliques, vertex_id size) {
  edge_list all;
  for (vertex_id c = 0; c < cliques; ++c) {
    for (vertex_id a = 0; a < size; ++a)
      for (vertex_id b = a + 1; b < size; ++b) all.emplace_back(c * size + a, c * size + b);
    all.emplace_back(c * size, (c + 1) % cliques * size + 1);
  }
  return all;
}

TEST(CommunitiesOf, ARingOfCliquesAreTheCliques) {
  constexpr vertex_id cliques = 20, size = 12;
  const csr rows(cliques * size, ring_of_cliques(cliques, size), false);
  community_names expected;
  for (vertex_id v = 0; v < cliques * size; ++v) expected.push_back(v / size * size);
  for (const community_method method : {community_method::leiden, community_method::louvain})
    for (const auto small : k_alone_or_not)
      for (std::uint64_t seed = 1; seed <= 5; ++seed)
        EXPECT_EQ(
            communities_of(rows, {.method = method, .seed = seed, .small_arcs = small}).groups.component,
            expected);
}

/// Returns random edges between vertices of equal groups: vertex v is in group v % groups. `inside` is the
/// share of edges within a group.
edge_list planted_groups(vertex_id vertices, vertex_id groups, std::uint64_t edges, double inside,
                         std::uint64_t seed) {
  xoshiro256 random(seed);
  edge_list all;
  while (all.size() < edges) {
    const auto a = static_cast<vertex_id>(bounded(random, vertices));
    const auto b = static_cast<vertex_id>(bounded(random, vertices));
    if ((a % groups == b % groups) == (unit_double(random) < inside)) all.emplace_back(a, b);
  }
  return all;
}

TEST(CommunitiesOf, PlantedGroupsAreFound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const csr rows(2000, planted_groups(2000, 8, 30000, 0.96, seed), seed == 3);
    for (const auto small : k_alone_or_not) {
      const communities_result r = communities_of(rows, {.seed = seed, .small_arcs = small});
      EXPECT_EQ(r.groups.components, 8U) << "seed " << seed;
      for (vertex_id v = 0; v < 2000; ++v) EXPECT_EQ(r.groups.component[v], v % 8) << "seed " << seed;
    }
  }
}

// No seed of the order may lead to much less modularity than the others.
TEST(CommunitiesOf, AGraphWithoutPartsHaveAsMuchModularityInGroupsAsAlone) {
  const csr rows(3000, test::uniform_edges(3000, 15000, 5), false);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const double together = *communities_of(rows, {.seed = seed, .small_arcs = 0}).modularity;
    const double alone = *communities_of(rows, {.seed = seed, .small_arcs = 1 << 20}).modularity;
    EXPECT_GT(together, 0.27) << "seed " << seed;
    EXPECT_NEAR(together, alone, 0.02) << "seed " << seed;
    EXPECT_GE(together,
              *communities_of(rows, {.method = community_method::louvain, .seed = seed}).modularity);
  }
}

std::string weighted_text(std::uint64_t seed, bool reals) {
  xoshiro256 random(seed);
  std::string text;
  for (const auto& [a, b] : planted_groups(600, 6, 5000, 0.7, seed)) {
    const std::uint64_t weight = a % 6 == b % 6 ? 5 + bounded(random, 20) : bounded(random, 4);
    text += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(weight);
    text += reals ? "." + std::to_string(bounded(random, 1000)) + "\n" : "\n";
  }
  return text;
}

TEST(CommunitiesOf, WeightedGraphsAreRightByWeights) {
  const test::temporary_folder folder;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string path = folder.plant("w" + std::to_string(seed), weighted_text(seed, seed % 2 == 0));
    const auto how = seed > 3 ? direction::directed : direction::undirected;
    for (const community_method method : k_all_methods)
      for (const auto small : k_alone_or_not) {
        community_names found;
        for (const unsigned cores : {1U, 3U})
          on_cores(cores, [&] {
            const graph g = load(path, {.how = how, .weights = weight_use::kept});
            ASSERT_NE(g.view().weights, weight_type::none);
            const communities_result r =
                right_communities(g.view(), {.method = method, .seed = seed, .small_arcs = small});
            EXPECT_TRUE(method != community_method::leiden || r.groups.components == 6);
            if (cores == 1)
              found = r.groups.component;
            else
              EXPECT_EQ(r.groups.component, found);
          });
      }
  }
}

TEST(CommunitiesOf, WeightsThatAreNoneAreRefused) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("bad", "0 1 3\n1 2 -1\n");
  on_cores(2, [&] {
    const graph g = load(path, {.weights = weight_use::kept});
    try {
      (void)find_communities(g.view());
      ADD_FAILURE() << "a negative weight was taken";
    } catch (const error& e) {
      EXPECT_EQ(std::string(e.what()), "communities: expected weights of 0 or more, found -1 from 1 to 2");
    }
  });
  const std::string zeros = folder.plant("zeros", "0 1 0\n1 2 0\n");
  on_cores(2, [&] {
    const graph g = load(zeros, {.weights = weight_use::kept});
    for (const community_method method : k_all_methods) {
      const communities_result r = right_communities(g.view(), {.method = method});
      EXPECT_EQ(r.groups.components, 3U);
      EXPECT_FALSE(r.modularity);
    }
  });
}

// The result does not depend on the number of processes, nor on the order of messages.
TEST(CommunitiesOf, ASimulatedJobOfSeveralProcessesAreThoseOfOne) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const edge_list edges =
        seed % 2 == 0 ? test::kronecker_edges(10, 6, seed) : planted_groups(1500, 7, 9000, 0.9, seed);
    const std::uint64_t vertices = 1500;
    std::vector<std::int64_t> from, to;
    for (const auto& [u, v] : edges) from.push_back(u), to.push_back(v);
    const bool directed = seed % 4 > 1;
    for (const community_method method : k_all_methods)
      for (const auto small : k_alone_or_not) {
        const community_options how{.method = method, .seed = seed, .small_arcs = small};
        const communities_result one = communities_of(csr(vertices, edges, directed), how);
        job_options o;
        o.simulate = simulation::options::parse("processes=" + std::to_string(2 + seed % 3) +
                                                " cores=2 network=qdr seed=" + std::to_string(seed));
        run(o, [&] {
          const graph g = from_edges({from.data(), from.size()}, {to.data(), to.size()},
                                     {.directed = directed, .vertices = vertices});
          const communities_result r = right_communities(g.view(), how);
          EXPECT_EQ(r.groups.component, one.groups.component) << described(how) << ", seed " << seed;
          EXPECT_EQ(r.modularity, one.modularity) << described(how) << ", seed " << seed;
        });
      }
  }
}

class VerifyCommunities : public testing::Test {
 protected:
  check of(const community_names& names, double modularity,
           community_method method = community_method::leiden) const {
    communities_result r;
    r.groups = components_of_labels(names);
    r.modularity = modularity;
    return verify_communities(rows_.view(), {.method = method}, r);
  }
  csr rows_{6, k_two_triangles, false};
};

TEST_F(VerifyCommunities, AcceptsTheRightAnswer) {
  EXPECT_TRUE(of({0, 0, 0, 3, 3, 3}, 5.0 / 14));
  EXPECT_TRUE(of({0, 0, 0, 0, 0, 0}, 0, community_method::labels));
}
TEST_F(VerifyCommunities, FindsAnotherModularity) { EXPECT_FALSE(of({0, 0, 0, 3, 3, 3}, 0.3572)); }
TEST_F(VerifyCommunities, FindsCommunitiesThatGainByBeingOne) {
  const check c = of({0, 0, 2, 3, 3, 3}, 6.0 / 14 + 2.0 / 14 - (16.0 + 9 + 49) / 196);
  EXPECT_NE(c.reason.find("more modularity as one"), std::string::npos) << c.reason;
}
TEST_F(VerifyCommunities, FindsCommunitiesThatAreNotConnected) {
  const check c = of({0, 0, 2, 2, 0, 0}, 6.0 / 14 - (64.0 + 36) / 196);
  EXPECT_NE(c.reason.find("not connected"), std::string::npos) << c.reason;
}
TEST_F(VerifyCommunities, FindsANameThatIsNotTheSmallest) { EXPECT_FALSE(of({1, 1, 1, 3, 3, 3}, 5.0 / 14)); }
TEST_F(VerifyCommunities, FindsALabelThatIsBesideMoreOfAnother) {
  EXPECT_FALSE(of({0, 0, 2, 3, 3, 3}, 6.0 / 14 + 2.0 / 14 - (16.0 + 9 + 49) / 196, community_method::labels));
}

}  // namespace
}  // namespace gossamer::graph
