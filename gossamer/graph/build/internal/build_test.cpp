// Rows from edges, against the naive builder of support/graphs.hpp, on 1, 2, 3 and 8 cores.
#include "gossamer/graph/build/internal/build.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/ingest/internal/compact.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::test {
namespace {

using graph::edge;
using graph::vertex_id;

// In blocks of uneven sizes, as cores would leave them.
graph::build_input input_of(const edge_list& edges, std::uint64_t vertices, bool directed,
                            std::uint64_t block) {
  graph::build_input in;
  in.vertices = vertices;
  in.directed = directed;
  for (std::uint64_t at = 0; at < edges.size(); at += block) {
    const std::uint64_t count = std::min<std::uint64_t>(block, edges.size() - at);
    graph::edge_block<edge> b{graph::buffer<edge>(count), count};
    for (std::uint64_t i = 0; i < count; ++i) b.memory[i] = {edges[at + i].first, edges[at + i].second};
    in.blocks.push_back(std::move(b));
  }
  return in;
}

void expect_same(const graph::adjacency& a, const graph::adjacency& b, std::uint64_t vertices,
                 std::uint64_t arcs) {
  EXPECT_EQ(std::memcmp(a.offsets, b.offsets, (vertices + 1) * 8), 0);
  EXPECT_TRUE(arcs == 0 || std::memcmp(a.targets, b.targets, arcs * sizeof(vertex_id)) == 0);
}

void expect_built(const named_graph& shape, unsigned cores, std::uint64_t block) {
  const edge_list edges = shape.edges();
  const csr oracle(shape.vertices, edges, shape.directed);
  on_cores(cores, [&] {
    const auto g = graph::build(input_of(edges, shape.vertices, shape.directed, block),
                                graph::labels::range(shape.vertices), {});
    const graph::graph_view got = g.view(), want = oracle.view();
    ASSERT_EQ(got.vertices, want.vertices);
    ASSERT_EQ(got.arcs, want.arcs);
    EXPECT_EQ(got.directed, want.directed);
    expect_same(got.out, want.out, want.vertices, want.arcs);
    expect_same(got.in, want.in, want.vertices, want.arcs);
    std::uint64_t loops = 0;
    for (const auto& [from, to] : edges) loops += from == to;
    EXPECT_EQ(g.statistics().self_loops, loops);
    EXPECT_EQ(g.statistics().duplicates, edges.size() - loops - got.edges());
  });
}

using Build = on_graphs;
TEST_P(Build, AgreesWithTheNaiveBuilder) { expect_built(shape(), core_count(), 777); }
GOSSAMER_ON_GRAPHS(Build);

// Enough edges for many buckets, tasks and radix passes.
TEST(BuildLarge, ManyBucketsAgreeWithTheNaiveBuilder) {
  const edge_list drawn = kronecker_edges(15, 30 / k_fewer, 3);
  for (const bool directed : {false, true}) {
    const named_graph kron{"kron", 1 << 15, [&] { return drawn; }, directed};
    const named_graph hub{"hub", 400000, [] { return star_edges(400000); }, directed};
    for (unsigned cores : {1U, 3U}) {
      expect_built(kron, cores, 100000);
      expect_built(hub, cores, 100000);
    }
  }
}

TEST(BuildLarge, WideKeysAgreeToo) {  // two 22-bit ids do not fit 32 bits
  for (const bool directed : {false, true})
    expect_built({"sparse", 1 << 22, [] { return uniform_edges(1 << 22, 300000, 4); }, directed}, 2, 70000);
}

TEST(BuildSmall, NothingAtAll) {
  on_cores(2, [] {
    const auto g = graph::build({}, graph::labels::range(0), {});
    EXPECT_EQ(g.view().vertices, 0U);
    EXPECT_EQ(g.view().arcs, 0U);
    EXPECT_EQ(g.view().out.offsets[0], 0U);
  });
}

TEST(BuildSmall, OnlyPresentDropsTheIdsThatDoNotAppear) {
  on_cores(3, [] {
    auto in = input_of({{70, 5}, {5, 900}, {33, 33}}, 1000, true, 2);
    in.only_present = true;
    const auto g = graph::build(std::move(in), graph::labels::range(1000), {});
    ASSERT_EQ(g.view().vertices, 4U);
    EXPECT_EQ(g.names().label(0), "5");
    EXPECT_EQ(g.names().label(1), "33");
    EXPECT_EQ(g.names().label(3), "900");
    ASSERT_EQ(g.view().out.degree(0), 1U);
    EXPECT_EQ(g.view().out[0][0], 3U);
    EXPECT_EQ(g.view().out[2][0], 0U);
    EXPECT_EQ(g.view().in[0][0], 2U);
  });
}

TEST(BuildSmall, SymmetricDirectedGraphsStoreOneSetOfRows) {
  on_cores(2, [] {
    const auto g =
        graph::build(input_of({{0, 1}, {1, 0}, {1, 2}, {2, 1}}, 3, true, 10), graph::labels::range(3), {});
    EXPECT_TRUE(g.view().directed);
    EXPECT_EQ(g.view().edges(), 4U);
    EXPECT_EQ(g.view().in.targets, g.view().out.targets);
    EXPECT_EQ(g.memory_bytes(), 4 * 8 + 4 * sizeof(vertex_id));
  });
}

TEST(BuildMemory, KeepsAtMostFiveBytesPerStoredEdgeAndNinePerVertex) {
  on_cores(2, [] {
    const auto g = graph::build(input_of(kronecker_edges(12, 16, 1), 1 << 12, false, 5000),
                                graph::labels::range(1 << 12), {});
    const std::uint64_t most = g.view().arcs * (sizeof(vertex_id) + 1) + g.view().vertices * 9;
    EXPECT_LE(g.memory_bytes(), most);
  });
}

TEST(Compact, ScatteredIdsBecomeDenseInAscendingOrder) {
  for (unsigned cores : {1U, 2U, 8U}) {
    on_cores(cores, [] {
      xoshiro256 random(9);
      std::vector<std::uint64_t> ids(5000);
      for (auto& id : ids) id = random();
      ids[0] = 0;
      ids[1] = ~std::uint64_t{0};
      std::vector<graph::edge_block<graph::wide_edge>> wide;
      std::vector<graph::edge_block<edge>> narrow;
      std::vector<graph::wide_edge> all;
      for (int b = 0; b < 7; ++b) {
        graph::edge_block<graph::wide_edge> block{graph::buffer<graph::wide_edge>(1000), 1000};
        for (auto& e : block.edges()) {
          e = {ids[bounded(random, ids.size())], ids[bounded(random, ids.size())]};
          all.push_back(e);
        }
        wide.push_back(std::move(block));
      }
      graph::edge_block<edge> block{graph::buffer<edge>(3), 3};
      for (auto& e : block.edges()) {
        e = {static_cast<vertex_id>(bounded(random, 100)), 7};
        all.push_back({e.from, e.to});
      }
      narrow.push_back(std::move(block));
      const auto c = graph::compact_ids(std::move(narrow), std::move(wide));
      EXPECT_TRUE(std::ranges::is_sorted(c.names.values()));
      std::vector<graph::wide_edge> got;
      for (const auto& b : c.edges)
        for (const edge e : b.edges()) got.push_back({c.names.values()[e.from], c.names.values()[e.to]});
      const auto less = [](auto a, auto b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); };
      std::ranges::sort(got, less);
      std::ranges::sort(all, less);
      EXPECT_EQ(got, all);
    });
  }
}

}  // namespace
}  // namespace gossamer::test
