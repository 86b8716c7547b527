#include "gossamer/graph/build/internal/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/edge_files.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::test {
namespace {

TEST(Generate, IsTheSameOnAnyNumberOfCores) {
  for (const char* source : {k_address_sanitizer ? "kron:11" : "kron:13", "uniform:12:5"}) {
    const labelled_graph first = load_labelled(source, 1);
    for (unsigned cores : {2U, 3U, 8U}) EXPECT_EQ(load_labelled(source, cores), first) << source;
  }
}

TEST(Generate, SeedsDiffer) {
  graph::load_options other;
  other.seed = 2;
  EXPECT_NE(load_labelled("kron:8", 1), load_labelled("kron:8", 1, other));
}

TEST(Generate, KeepsAllVerticesAndCountsAllEdges) {
  on_cores(2, [] {
    const auto g = graph::load("kron:10:7");
    EXPECT_EQ(g.view().vertices, 1024U);
    EXPECT_FALSE(g.view().directed);
    const auto& s = g.statistics();
    EXPECT_EQ(s.edges_read, 7U * 1024);
    EXPECT_EQ(g.view().edges() + s.duplicates + s.self_loops, s.edges_read);
  });
}

TEST(Generate, SmallestScales) {
  for (unsigned scale = 0; scale < 6; ++scale) {
    for (const std::string kind : {"kron:", "uniform:"}) {
      const labelled_graph g = load_labelled(kind + std::to_string(scale), 2);
      EXPECT_EQ(g.vertices.size(), std::size_t{1} << scale);
    }
  }
  EXPECT_TRUE(load_labelled("kron:5:0", 2).arcs.empty());
}

TEST(Generate, KroneckerIsSkewedAndUniformIsNot) {
  on_cores(2, [] {
    const auto largest = [](const graph::graph& g) {
      std::uint64_t most = 0;
      for (graph::vertex_id v = 0; v < g.view().vertices; ++v) most = std::max(most, g.view().out.degree(v));
      return most;
    };
    EXPECT_GT(largest(graph::load("kron:12")), 500U);
    EXPECT_LT(largest(graph::load("uniform:12")), 80U);
  });
}

// The initiator's first row has 0.57 + 0.19 of the weight, so a vertex whose unpermuted id has k zero bits of
// s expects edges * 0.76^k * 0.24^(s-k) starts. The largest degree (before duplicates) tells.
TEST(Generate, KroneckerHasTheInitiatorsLargestDegree) {
  on_cores(2, [] {
    const auto g = graph::load("kron:8:1000");
    std::vector<double> degrees;
    for (graph::vertex_id v = 0; v < 256; ++v) degrees.push_back(static_cast<double>(g.view().out.degree(v)));
    // so many edges fill nearly everything: each vertex is joined to nearly all others
    EXPECT_GT(*std::ranges::max_element(degrees), 250.0);
    EXPECT_GT(g.statistics().duplicates, 200000U);
  });
}

TEST(Generate, DegreesDoNotFollowIds) {
  on_cores(2, [] {
    const auto g = graph::load("kron:12");
    double low = 0, high = 0;
    for (graph::vertex_id v = 0; v < 4096; ++v)
      (v < 2048 ? low : high) += static_cast<double>(g.view().out.degree(v));
    EXPECT_LT(std::abs(low - high) / (low + high), 0.25);
  });
}

TEST(ParseGenerator, KnowsItsSources) {
  EXPECT_FALSE(graph::parse_generator("data/kron.txt", 1));
  const auto g = graph::parse_generator("uniform:10:3", 5);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->how, graph::generator::kind::uniform);
  EXPECT_EQ(g->vertices(), 1024U);
  EXPECT_EQ(g->edges(), 3072U);
  EXPECT_EQ(g->seed, 5U);
}

}  // namespace
}  // namespace gossamer::test
