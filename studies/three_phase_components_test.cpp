#include "studies/three_phase_components.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/verify/verify.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::studies {
namespace {

using namespace graph;
using test::csr;
using test::on_cores;

class ThreePhaseComponents : public test::on_graphs {};

TEST_P(ThreePhaseComponents, AreTheSameWhereverRequestsMerge) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const components_result expected = connected_components(rows.view());
    const components_result result =
        three_phase_components(rows.view(), {}, {.combining = test::some_mode(shape(), core_count())});
    EXPECT_EQ(result.component, expected.component);
    EXPECT_EQ(result.components, expected.components);
    EXPECT_EQ(result.largest_id, expected.largest_id);
    const check c = verify_components(rows.view(), result);
    EXPECT_TRUE(c) << c.reason;
  });
}

TEST_P(ThreePhaseComponents, AreTheSameWherePairsAreStaged) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const components_result result =
        three_phase_components(rows.view(), {}, {.combining = combine::local, .staged = true});
    EXPECT_EQ(result.component, connected_components(rows.view()).component);
  });
}

TEST_P(ThreePhaseComponents, AreTheSameWhereAllProcessesJoinTheLabels) {
  const csr rows = shape().build();
  on_cores(core_count(), [&] {
    const components_result result =
        three_phase_components(rows.view(), {}, {.combining = combine::local, .few_pairs = 0});
    EXPECT_EQ(result.component, connected_components(rows.view()).component);
  });
}
GOSSAMER_ON_GRAPHS(ThreePhaseComponents);

// One large component, and more small ones than the searches of several rounds.
TEST(ThreePhaseComponentsOf, ManyPartsAreNamedAfterTheirSmallest) {
  const std::uint64_t seed = 5, vertices = 60000;
  test::edge_list edges = test::uniform_edges(20000, 40000, seed);
  for (vertex_id v = 20000; v + 1 < vertices; v += 2) edges.emplace_back(v, v + 1);
  const csr rows(vertices, test::shuffled(edges, vertices, seed), false);
  on_cores(3, [&] {
    const components_result result = three_phase_components(rows.view());
    EXPECT_EQ(result.component, connected_components(rows.view()).component);
    const check c = verify_components(rows.view(), result);
    EXPECT_TRUE(c) << c.reason << ", seed " << seed;
  });
}

TEST(ThreePhaseComponentsOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, false);
  on_cores(2, [&] {
    const components_result result = three_phase_components(rows.view());
    EXPECT_EQ(result.components, 0U);
    EXPECT_EQ(result.largest_id, k_no_vertex);
    EXPECT_TRUE(verify_components(rows.view(), result));
  });
}

}  // namespace
}  // namespace gossamer::studies
