#include "gossamer/graph/algorithms/degrees.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "gossamer/graph/store/internal/partition.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

degree_summary serial_summary(const adjacency& rows, std::uint64_t vertices) {
  degree_summary s;
  std::vector<std::uint64_t> all;
  for (vertex_id v = 0; v < vertices; ++v) {
    all.push_back(rows.degree(v));
    const auto bucket = static_cast<std::size_t>(std::bit_width(rows.degree(v)));
    if (s.histogram.size() <= bucket) s.histogram.resize(bucket + 1);
    ++s.histogram[bucket];
    if (s.max_vertex == k_no_vertex || rows.degree(v) > rows.degree(s.max_vertex)) s.max_vertex = v;
  }
  std::ranges::sort(all);
  s.min = all.front();
  s.max = all.back();
  s.mean = static_cast<double>(rows.offsets[vertices]) / static_cast<double>(vertices);
  s.median = static_cast<double>(all[all.size() / 2] + all[(all.size() - 1) / 2]) / 2;
  return s;
}

void expect_equal(const degree_summary& found, const degree_summary& expected) {
  EXPECT_EQ(found.min, expected.min);
  EXPECT_EQ(found.max, expected.max);
  EXPECT_EQ(found.max_vertex, expected.max_vertex);
  EXPECT_DOUBLE_EQ(found.mean, expected.mean);
  EXPECT_DOUBLE_EQ(found.median, expected.median);
  EXPECT_EQ(found.histogram, expected.histogram);
}

class Degrees : public test::on_graphs {};

TEST_P(Degrees, AgreeWithSortedDegrees) {
  const csr rows = shape().build();
  const graph_view g = rows.view();
  std::uint64_t isolated = 0;
  for (vertex_id v = 0; v < g.vertices; ++v) isolated += g.out.degree(v) + g.in.degree(v) == 0;
  on_cores(core_count(), [&] {
    const degrees_result result = degrees(g);
    expect_equal(result.out, serial_summary(g.out, g.vertices));
    expect_equal(result.in, serial_summary(g.in, g.vertices));
    EXPECT_EQ(result.isolated, isolated);
  });
}
GOSSAMER_ON_GRAPHS(Degrees);

TEST(DegreesOf, AnEmptyGraphAreNone) {
  const csr rows(0, {}, false);
  on_cores(2, [&] {
    const degrees_result result = degrees(rows.view());
    EXPECT_EQ(result.out.max_vertex, k_no_vertex);
    EXPECT_TRUE(result.out.histogram.empty());
    EXPECT_EQ(result.isolated, 0U);
  });
}

TEST(Partition, CutsAlignedBlocksOfAboutEqualWork) {
  const csr rows(1 << 14, test::kronecker_edges(14, 8, 61), false);
  const graph_view g = rows.view();
  for (unsigned parts : {1U, 2U, 3U, 8U}) {
    const std::vector<std::uint64_t> bounds = equal_edge_bounds(g.out, g.vertices, parts);
    ASSERT_EQ(bounds.size(), parts + 1);
    EXPECT_EQ(bounds.front(), 0U);
    EXPECT_EQ(bounds.back(), g.vertices);
    for (unsigned p = 0; p < parts; ++p) {
      EXPECT_LE(bounds[p], bounds[p + 1]);
      EXPECT_TRUE(p == 0 || bounds[p] % k_vertex_alignment == 0) << bounds[p];
    }
  }
  // A block differs from half of the work by at most the edges of one aligned group.
  const std::vector<std::uint64_t> halves = equal_edge_bounds(g.out, g.vertices, 2);
  std::uint64_t largest_group = 0;
  for (std::uint64_t v = 0; v < g.vertices; v += k_vertex_alignment) {
    largest_group = std::max(largest_group, g.out.offsets[v + k_vertex_alignment] - g.out.offsets[v]);
  }
  const std::uint64_t half = (g.arcs + g.vertices) / 2, first = g.out.offsets[halves[1]] + halves[1];
  EXPECT_LE(first > half ? first - half : half - first, largest_group + k_vertex_alignment);
}

TEST(Partition, GivesBlocksToSomeOnlyWhenVerticesAreFew) {
  const csr rows(100, test::path_edges(100), false);
  EXPECT_EQ(equal_edge_bounds(rows.view().out, 100, 3).back(), 100U);
  const csr none(0, {}, false);
  EXPECT_EQ(equal_edge_bounds(none.view().out, 0, 3), (std::vector<std::uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(grouped_bounds({0, 512, 1000}, 64), (std::vector<std::uint64_t>{0, 8, 16}));
}

}  // namespace
}  // namespace gossamer::graph
