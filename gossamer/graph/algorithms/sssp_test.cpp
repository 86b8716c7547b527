// Compares shortest paths with those of Dijkstra's algorithm.
#include "gossamer/graph/algorithms/sssp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "support/graphs.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::test {
namespace {

using graph::vertex_id;

// Lengths and parents by their definitions. The parent is the smallest neighbour that is nearer; without one,
// the smallest at the same distance that has a parent from an earlier round.
template <class Weight, class Length>
struct dijkstra {
  std::vector<Length> length;
  std::vector<vertex_id> parent;

  dijkstra(const graph::graph_view& g, vertex_id source)
      : length(g.vertices, far()), parent(g.vertices, graph::k_no_vertex) {
    std::priority_queue<std::pair<Length, vertex_id>, std::vector<std::pair<Length, vertex_id>>,
                        std::greater<>>
        queue;
    length[source] = 0;
    queue.emplace(Length{0}, source);
    while (!queue.empty()) {
      const auto [at, v] = queue.top();
      queue.pop();
      if (at != length[v]) continue;
      for (std::uint64_t i = g.out.offsets[v]; i < g.out.offsets[v + 1]; ++i) {
        const vertex_id n = g.out.targets[i];
        const Length to = at + weight(g.out, i);
        if (to < length[n]) queue.emplace(length[n] = to, n);
      }
    }
    parent[source] = source;
    find_parents(g);
  }

  static Length far() {
    return std::is_integral_v<Length> ? std::numeric_limits<Length>::max()
                                      : std::numeric_limits<Length>::infinity();
  }
  static Weight weight(const graph::adjacency& rows, std::uint64_t i) {
    return rows.weights == nullptr ? Weight{1} : rows.weights_as<Weight>()[i];
  }

  void find_parents(const graph::graph_view& g) {
    for (bool nearer : {true, false})
      for (bool changed = true; changed;) {
        changed = false;
        const std::vector<vertex_id> before = parent;
        for (std::uint64_t v = 0; v < g.vertices; ++v)
          for (std::uint64_t i = g.in.offsets[v]; i < g.in.offsets[v + 1]; ++i) {
            const vertex_id u = g.in.targets[i];
            if (parent[v] != graph::k_no_vertex || length[u] == far()) continue;
            if (length[u] + weight(g.in, i) != length[v]) continue;
            if (nearer ? length[u] >= length[v] : before[u] == graph::k_no_vertex) continue;
            parent[v] = u;
            changed = true;
          }
        if (nearer) break;
      }
  }
};

template <class Weight, class Length>
void expect_dijkstra(const graph::graph& g, double delta) {
  const graph::graph_view view = g.view();
  graph::shortest_paths search(view, {.delta = delta});
  for (vertex_id source = 0; source < view.vertices;
       source += 1 + static_cast<vertex_id>(view.vertices) / 4) {
    const dijkstra<Weight, Length> expected(view, source);
    const graph::sssp_result r = search.run(source);
    std::uint64_t reached = 0;
    double farthest = 0;
    for (const Length at : expected.length)
      if (at != expected.far()) {
        ++reached;
        farthest = std::max(farthest, static_cast<double>(at));
      }
    EXPECT_EQ(r.reached, reached);
    EXPECT_EQ(r.farthest, farthest);
    EXPECT_EQ(std::get<std::vector<Length>>(search.lengths()), expected.length);
    std::vector<vertex_id> parents = search.parents();
    EXPECT_EQ(parents, expected.parent);
    graph::path_lengths lengths = search.lengths();
    const check good = graph::verify_sssp(view, r, lengths, parents);
    EXPECT_TRUE(good) << good.reason;
    if (r.reached < 2) continue;
    const auto last = static_cast<vertex_id>(
        std::ranges::find_if(expected.length, [&](Length at) { return at != 0 && at != expected.far(); }) -
        expected.length.begin());
    if (last == view.vertices) continue;
    parents[last] = last;
    EXPECT_FALSE(graph::verify_sssp(view, r, lengths, parents));
    parents[last] = expected.parent[last];
    std::get<std::vector<Length>>(lengths)[last] /= 2;
    EXPECT_FALSE(graph::verify_sssp(view, r, lengths, parents));
  }
}

enum class weights_of : std::uint8_t { small, zeros, large, reals, tiny, none };

std::string random_text(std::uint64_t seed, weights_of kind) {
  xoshiro256 random(seed);
  const std::uint64_t vertices = 1 + bounded(random, 200), edges = 1 + bounded(random, 1200);
  std::string text;
  for (std::uint64_t i = 0; i < edges; ++i) {
    text += std::to_string(bounded(random, vertices)) + " " + std::to_string(bounded(random, vertices) + 1);
    switch (kind) {
      case weights_of::small:
        text += " " + std::to_string(1 + bounded(random, 255));
        break;
      case weights_of::zeros:
        text += " " + std::to_string(bounded(random, 3) / 2);
        break;
      case weights_of::large:
        text += " " + std::to_string(bounded(random, 2) == 0 ? 4'294'967'295 - bounded(random, 10)
                                                             : bounded(random, 1000));
        break;
      case weights_of::reals:
        text += " 0." + std::to_string(bounded(random, 1'000'000'000));
        break;
      case weights_of::tiny:
        text += " " + std::to_string(bounded(random, 1000)) + (bounded(random, 3) == 0 ? "e-310" : "e-3");
        break;
      case weights_of::none:
        break;
    }
    text += "\n";
  }
  return text;
}

TEST(ShortestPaths, AreDijkstras) {
  const temporary_folder folder;
  std::uint64_t seed = 0;
  for (const weights_of kind : {weights_of::small, weights_of::zeros, weights_of::large, weights_of::reals,
                                weights_of::tiny, weights_of::none})
    for (const double delta : {0.0, 1.0, 40.0, 1e12})
      for (const unsigned cores : {1U, 2U, 3U, 8U}) {
        SCOPED_TRACE("seed " + std::to_string(++seed));
        const std::string path = folder.plant("g" + std::to_string(seed), random_text(seed, kind));
        const auto how = seed % 2 == 0 ? graph::direction::directed : graph::direction::undirected;
        on_cores(cores, [&] {
          const graph::graph g = graph::load(path, {.how = how, .weights = graph::weight_use::lengths});
          switch (g.view().weights) {
            case graph::weight_type::none:
              return expect_dijkstra<std::uint32_t, std::uint64_t>(g, delta);
            case graph::weight_type::int32:
            case graph::weight_type::uint32:
              return expect_dijkstra<std::uint32_t, std::uint64_t>(g, delta);
            case graph::weight_type::float32:
            case graph::weight_type::float64:
              return expect_dijkstra<double, double>(g, delta);
          }
        });
      }
}

std::string error_of(const std::string& path, bool runs) {
  std::string message = "no error";
  on_cores(2, [&] {
    const graph::graph g = graph::load(path, {.weights = graph::weight_use::kept});
    const auto bad = graph::find_bad_length(g.view());
    if (bad)
      message = std::to_string(bad->from) + " " + std::to_string(bad->to) + " " + std::to_string(bad->weight);
    try {
      graph::shortest_paths search(g.view());
      EXPECT_FALSE(bad);
      if (runs) (void)search.run(0);
    } catch (const error& e) {
      if (!bad) message = e.what();
    }
  });
  return message;
}

TEST(ShortestPaths, RefuseWhatIsNoLength) {
  const temporary_folder folder;
  EXPECT_EQ(error_of(folder.plant("g", "0 1 3\n1 0 5\n1 2 -1\n2 3 -4\n"), true), "1 2 -1.000000");
  EXPECT_EQ(error_of(folder.plant("g", "0 1 3.5\n0 2 -0.25\n"), true), "0 2 -0.250000");
  EXPECT_EQ(error_of(folder.plant("g", "0 1 1.5e308\n1 2 1.5e308\n"), true),
            "sssp: the length of a path exceeds what a double holds");
  EXPECT_EQ(error_of(folder.plant("g", "0 1 1.5e308\n2 1 1.5e308\n"), true), "no error");
  // Not each arc that overflows a length is on a shortest path.
  EXPECT_EQ(error_of(folder.plant("g", "0 1 1.5e308\n1 0 1.5e308\n"), true), "no error");
  EXPECT_EQ(error_of(folder.plant("g", "0 1 1.5e308\n1 2 1.5e308\n0 2 4.5\n"), true), "no error");
  EXPECT_EQ(error_of(folder.plant("g", "0 1 1.5e308\n1 0 1.5e308\n1 2 1.5e308\n"), true),
            "sssp: the length of a path exceeds what a double holds");
}

}  // namespace
}  // namespace gossamer::test
