// Graphs as kernels of programs read them, over whatever processes a launcher started, and in one.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer {
namespace {

using graph::vertex_id;
using neighbours = std::vector<std::vector<vertex_id>>;

neighbours all_rows(const graph::graph_view& g, const graph::adjacency& of) {
  graph::remote_row_cache reader(g, of);
  neighbours all;
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    const auto row = reader[static_cast<vertex_id>(v)];
    all.emplace_back(row.begin(), row.end());
  }
  return all;
}

template <class Row>
std::uint64_t common_above(const Row& a, const Row& b, vertex_id least) {
  std::uint64_t n = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] < b[j]) {
      ++i;
    } else if (a[i] > b[j]) {
      ++j;
    } else {
      n += a[i] > least;
      ++i, ++j;
    }
  }
  return n;
}

/// Returns the name of a generated graph: a quarter of that scale's where every message is simulated.
std::string of_size(unsigned scale) {
  return "kron:" + std::to_string(machine::simulated() != nullptr ? scale - 2 : scale);
}

TEST(ProcessGraphs, KernelsReadAnyRow) {
  run(job_options::from_environment(), [] {
    for (const auto how : {graph::direction::undirected, graph::direction::directed}) {
      graph::load_options o;
      o.how = how;
      const graph::graph g = graph::load(of_size(11), o);  // rows of up to ~1,000 arcs
      const graph::graph_view v = g.view();
      for (const bool forward : {true, false}) {
        const graph::rows& mine = forward ? v.out : v.in;
        const neighbours expected = all_rows(v, mine);
        for (vertex_id u = 0; u < v.vertices; ++u) {
          const graph::row row = mine[u];
          ASSERT_EQ(std::vector<vertex_id>(row.begin(), row.end()), expected[u]) << "row of " << u;
          ASSERT_EQ(mine.degree(u), expected[u].size()) << "degree of " << u;
        }
      }
    }
  });
}

TEST(ProcessGraphs, EdgesOfProcess0BecomeRowsOfAll) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(job_options::from_environment(), [seed] {
      xoshiro256 random(seed);
      std::vector<std::int64_t> from, to;
      for (int i = 0; i < 5000; ++i) {
        from.push_back(static_cast<std::int64_t>(random() % 900));
        to.push_back(static_cast<std::int64_t>(random() % 900));
      }
      for (const bool directed : {true, false}) {
        std::vector<std::set<vertex_id>> expected(900), back(900);
        std::uint64_t loops = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
          const auto u = static_cast<vertex_id>(from[i]), v = static_cast<vertex_id>(to[i]);
          loops += u == v;
          if (u == v) continue;
          expected[u].insert(v), back[v].insert(u);
          if (!directed) expected[v].insert(u), back[u].insert(v);
        }
        const graph::graph g = graph::from_edges({from.data(), from.size()}, {to.data(), to.size()},
                                                 {.directed = directed, .vertices = 900});
        EXPECT_EQ(g.statistics().self_loops, loops);
        EXPECT_EQ(g.statistics().duplicates, from.size() - loops - g.view().edges());
        for (const bool forward : {true, false}) {
          const neighbours rows = all_rows(g.view(), forward ? g.view().out : g.view().in);
          for (vertex_id v = 0; v < 900; ++v) {
            const auto& row = (forward ? expected : back)[v];
            ASSERT_EQ(rows[v], std::vector<vertex_id>(row.begin(), row.end())) << "row of " << v;
          }
        }
      }
    });
  }
}

TEST(ProcessGraphs, CompactedIdsAreLabelsInProcess0) {
  run(job_options::from_environment(), [] {
    const std::vector<std::int64_t> from{7'000'000'000'000, 40, 40, 5}, to{40, 5, 5, 5}, none;
    const graph::graph g =
        graph::from_edges({from.data(), 4}, {to.data(), 4}, {.directed = true, .compact = true});
    ASSERT_EQ(g.view().vertices, 3U);
    EXPECT_EQ(g.names().label(0), "5");
    EXPECT_EQ(g.names().label(1), "40");
    EXPECT_EQ(g.names().label(2), "7000000000000");
    EXPECT_EQ(all_rows(g.view(), g.view().out), (neighbours{{}, {0}, {1}}));
    const graph::graph empty = graph::from_edges({none.data(), 0}, {none.data(), 0}, {.compact = true});
    EXPECT_EQ(empty.view().vertices, 0U);
  });
}

/// Returns a number that tells rows apart.
std::uint64_t digest_of_row(std::span<const vertex_id> row) {
  std::uint64_t d = row.size();
  for (const vertex_id v : row) d = hash64(d, v);
  return d;
}

TEST(ProcessGraphs, RowsOfNeighboursAreReadWhereTheyLie) {
  run(job_options::from_environment(), [] {
    graph::load_options o;
    o.how = graph::direction::directed;
    const graph::graph g = graph::load(of_size(12), o);
    const graph::graph_view v = g.view();
    if (v.process_bounds == nullptr) return;
    for (unsigned p = 0; p < processes(); ++p)
      for (vertex_id u = static_cast<vertex_id>(v.process_bounds[p]); u < v.process_bounds[p + 1]; ++u)
        for (const graph::rows& mine : {v.out, v.in}) {
          const graph::row row = mine[u];
          const bool in_place = row.data() >= mine.targets && row.data() <= mine.targets + v.arcs;
          ASSERT_EQ(in_place, memory::lies_here(first_core(p))) << "row of " << u;
          const std::uint64_t at_owner =
              call_on(first_core(p), [of = graph::adjacency(mine), u] { return digest_of_row(of[u]); });
          ASSERT_EQ(digest_of_row(row), at_owner) << "row of " << u;
        }
  });
}

TEST(ProcessGraphs, LoopsOverAllVerticesCountTriangles) {
  run(job_options::from_environment(), [] {
    graph::load_options o;
    o.how = graph::direction::undirected;
    const graph::graph g = graph::load("kron:8", o);
    const graph::graph_view v = g.view();
    scoped_per_core<std::uint64_t> triangles;
    forall(0, v.vertices, [v, triangles = triangles.handle()](std::uint64_t i) {
      const auto u = static_cast<vertex_id>(i);
      const auto row = v.out[u];
      for (const vertex_id w : row)
        if (w > u) triangles.here() += common_above(row, v.out[w], w);
    });
    const neighbours rows = all_rows(v, v.out);
    std::uint64_t expected = 0;
    for (vertex_id u = 0; u < v.vertices; ++u)
      for (const vertex_id w : rows[u])
        if (w > u) expected += common_above(rows[u], rows[w], w);
    EXPECT_GT(expected, 0U);
    EXPECT_EQ(triangles.fold(std::uint64_t{0}, std::plus<>()), expected);
  });
}

TEST(ProcessGraphs, DistancesAgreeWithSerialSearches) {
  run(job_options::from_environment(), [] {
    for (const auto how : {graph::direction::undirected, graph::direction::directed}) {
      graph::load_options o;
      o.how = how;
      const graph::graph g = graph::load(of_size(12), o);
      std::vector<vertex_id> sources;
      for (vertex_id v = 0; v < g.view().vertices; v += 11) sources.push_back(v);
      std::vector<graph::distance_summary> first;
      for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        const graph::distance_options some{.sources = sources, .most_bytes = bytes};
        const graph::distances_result found = graph::sum_distances(g.view(), some);
        if (first.empty()) {
          const check c = graph::verify_distances(g.view(), some, found);
          EXPECT_TRUE(c) << c.reason;
          first = found.distances;
        }
        EXPECT_EQ(found.distances, first) << bytes;
      }
    }
    graph::load_options o;
    o.how = graph::direction::undirected;
    const graph::graph small = graph::load(of_size(11), o);
    const check c = graph::verify_diameter(small.view(), graph::diameter(small.view()));
    EXPECT_TRUE(c) << c.reason;
  });
}

}  // namespace
}  // namespace gossamer
