#pragma once
// Random graphs with weights of any sign, as texts, with a negative cycle or without one.

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::test {

// An edge of the text.
struct bellman_edge {
  graph::vertex_id from, to;
  double weight;
};

// Edges whose weights are what they were, less a height of the start and more one of the end: negative ones, and no cycle that is.
struct bellman_case {
  std::vector<bellman_edge> edges;
  std::uint64_t vertices;
  bool is_real;

  bellman_case(std::uint64_t seed, bool has_cycle, bool reals) : is_real(reals) {
    xoshiro256 random(seed);
    vertices = 2 + bounded(random, 300);
    std::vector<double> height(vertices);
    for (double& h : height) h = static_cast<double>(bounded(random, 50));
    const std::uint64_t count = vertices * (1 + bounded(random, 5));
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto a = static_cast<graph::vertex_id>(bounded(random, vertices)),
                 b = static_cast<graph::vertex_id>((a + 1 + bounded(random, vertices - 1)) % vertices);
      const double most = is_real ? 0.25 : 1;  // sums of quarters are exact
      edges.push_back({a, b, most * (static_cast<double>(bounded(random, 7)) + height[b] - height[a])});
    }
    if (has_cycle) edges.push_back({edges[0].to, edges[0].from, -edges[0].weight - 1});
  }

  std::string text() const {
    std::string all;
    for (const bellman_edge& e : edges)
      all += std::to_string(e.from) + ' ' + std::to_string(e.to) + ' ' +
             (is_real ? std::to_string(e.weight) : std::to_string(static_cast<int>(e.weight))) + '\n';
    return all;
  }
};

}  // namespace gossamer::test
