#include "gossamer/graph/algorithms/greedy.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"
#include "support/graph_clusters.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::edge_list;
using test::on_cores;

class Greedy : public test::on_graphs {};

TEST_P(Greedy, ColoursAreWhatOthersLeave) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)greedy_colouring(rows.view()), error);
      return;
    }
    for (const bool random : {false, true}) {
      const colouring_options options{random, 7};
      const check c = verify_colouring(rows.view(), options, greedy_colouring(rows.view(), options));
      EXPECT_TRUE(c) << c.reason;
    }
  });
}

TEST_P(Greedy, MembersKeepTheirNeighboursOut) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    if (rows.view().directed) {
      EXPECT_THROW((void)maximal_independent_set(rows.view()), error);
      return;
    }
    const check c = verify_independent_set(rows.view(), {5}, maximal_independent_set(rows.view(), {5}));
    EXPECT_TRUE(c) << c.reason;
  });
}
GOSSAMER_ON_GRAPHS(Greedy);

TEST(GreedyOf, AnEmptyGraphIsNothing) {
  const csr rows(0, {}, false);
  on_cores(2, [&] {
    EXPECT_EQ(greedy_colouring(rows.view()).colours, 0U);
    EXPECT_EQ(maximal_independent_set(rows.view()).members, 0U);
  });
}

using numbers = std::vector<vertex_id>;

// A star whose centre is the last vertex: the largest degree comes first.
TEST(GreedyOf, TheLargestDegreeComesFirst) {
  const csr rows(4, test::star_edges(4), false);
  on_cores(2, [&] {
    const colouring_result r = greedy_colouring(rows.view());
    EXPECT_EQ(r.colour, numbers({1, 1, 1, 0}));
    EXPECT_EQ(r.colours, 2U);
    EXPECT_EQ(r.largest, 3U);
  });
}

// A clique of 70 vertices needs more colours than a word has bits.
TEST(GreedyOf, ACliqueHasAColourForEach) {
  edge_list edges;
  for (vertex_id a = 0; a < 70; ++a)
    for (vertex_id b = 0; b < a; ++b) edges.emplace_back(a, b);
  const csr rows(70, edges, false);
  on_cores(3, [&] {
    const colouring_result r = greedy_colouring(rows.view());
    for (vertex_id v = 0; v < 70; ++v) EXPECT_EQ(r.colour[v], v);
    EXPECT_EQ(r.colours, 70U);
    EXPECT_EQ(maximal_independent_set(rows.view()).members, 1U);
  });
}

TEST(GreedyOf, AnotherSeedIsAnotherSet) {
  const csr rows(3000, test::path_edges(3000), false);
  on_cores(2, [&] {
    EXPECT_EQ(maximal_independent_set(rows.view(), {1}).member,
              maximal_independent_set(rows.view(), {1}).member);
    EXPECT_NE(maximal_independent_set(rows.view(), {1}).member,
              maximal_independent_set(rows.view(), {2}).member);
  });
}

TEST(GreedyVerifiers, FindMistakes) {
  const csr rows(5, {{0, 1}, {1, 2}, {2, 0}, {3, 4}}, false);
  on_cores(1, [&] {
    const colouring_result right = greedy_colouring(rows.view());
    ASSERT_TRUE(verify_colouring(rows.view(), {}, right));
    colouring_result same = right, late = right, many = right, large = right;
    same.colour[1] = same.colour[0];
    late.colour[3] = 2;
    many.colours = 4;
    large.largest = 1;
    for (const auto& wrong : {same, late, many, large})
      EXPECT_FALSE(verify_colouring(rows.view(), {}, wrong));
    EXPECT_FALSE(verify_colouring(rows.view(), {true, 3}, right) &&
                 verify_colouring(rows.view(), {true, 4}, right) &&
                 verify_colouring(rows.view(), {true, 5}, right));  // in other orders

    const independent_set_result set = maximal_independent_set(rows.view(), {1});
    ASSERT_TRUE(verify_independent_set(rows.view(), {1}, set));
    independent_set_result none = set, all = set, number = set, two = set;
    std::ranges::fill(none.member, 0);
    std::ranges::fill(all.member, 1);
    ++number.members;
    two.member[3] = 2;
    for (const auto& wrong : {none, all, number, two})
      EXPECT_FALSE(verify_independent_set(rows.view(), {1}, wrong));
  });
}

class GreedySimulated : public test::on_clusters {};
GOSSAMER_ON_CLUSTERS(GreedySimulated);

TEST_P(GreedySimulated, ChoosesTheSame) {
  const vertex_id n = 1500;
  const edge_list edges = test::uniform_edges(n, 6000, 3);
  const csr rows(n, edges, false);
  numbers colours, members;
  on_cores(2, [&] {
    colours = greedy_colouring(rows.view()).colour;
    members = maximal_independent_set(rows.view()).member;
  });
  run(simulated_job(), [&] {
    const graph g = test::built(edges, n, false);
    const colouring_result r = greedy_colouring(g.view());
    EXPECT_EQ(r.colour, colours);
    EXPECT_TRUE(verify_colouring(g.view(), {}, r));
    const independent_set_result set = maximal_independent_set(g.view());
    EXPECT_EQ(set.member, members);
    EXPECT_TRUE(verify_independent_set(g.view(), {}, set));
  });
}

}  // namespace
}  // namespace gossamer::graph
