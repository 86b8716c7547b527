#include "gossamer/graph/engine/lone_search.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

/// Returns the distances from the sources, by vertex; k_no_vertex: not reached.
std::vector<vertex_id> serial_levels(const graph_view& g, const std::vector<vertex_id>& sources) {
  std::vector<vertex_id> levels(g.vertices, k_no_vertex), queue = sources;
  for (const vertex_id v : sources) levels[v] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const vertex_id n : g.out[queue[i]])
      if (levels[n] == k_no_vertex) {
        levels[n] = levels[queue[i]] + 1;
        queue.push_back(n);
      }
  return levels;
}

TEST(LoneSearch, FindsTheLevelsOfSerialSearches) {
  on_cores(1, [] {
    lone_search search;  // used again for graphs of other sizes
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const std::uint64_t n = 3 + seed * 37 % 400;
      const csr rows(n, test::uniform_edges(n, n * (seed % 5), seed), seed % 2 == 0);
      const graph_view g = rows.view();
      std::vector<vertex_id> sources{static_cast<vertex_id>(seed % n)};
      if (seed % 3 == 0) sources.push_back(static_cast<vertex_id>((seed + 1) % n));
      const std::vector<vertex_id> expected = serial_levels(g, sources);
      std::vector<vertex_id> levels(n, k_no_vertex);
      std::uint64_t next = 0;
      const std::uint64_t last = search.run(
          directed_adjacency{g.out}, n, sources, [&](std::span<const vertex_id> found, std::uint64_t level) {
            EXPECT_EQ(level, next++) << "seed " << seed;
            EXPECT_FALSE(found.empty()) << "seed " << seed;
            for (const vertex_id v : found) {
              EXPECT_EQ(levels[v], k_no_vertex) << "seed " << seed << ", twice: " << v;
              levels[v] = static_cast<vertex_id>(level);
            }
            return true;
          });
      EXPECT_EQ(levels, expected) << "seed " << seed;
      EXPECT_EQ(last + 1, next) << "seed " << seed;
    }
  });
}

TEST(LoneSearch, StopsWhenItIsTold) {
  const csr rows(100, test::path_edges(100), false);
  on_cores(1, [&] {
    lone_search search;
    const vertex_id source = 0;
    std::uint64_t calls = 0;
    const auto count = [&](std::span<const vertex_id>, std::uint64_t level) { return ++calls, level < 7; };
    EXPECT_EQ(search.run(directed_adjacency{rows.view().out}, 100, {&source, 1}, count), 7U);
    EXPECT_EQ(calls, 8U);
  });
}

}  // namespace
}  // namespace gossamer::graph
