#pragma once
// The models of graphs whose edges are determined by single vertices, independent of cores. Every random
// number is a hash of the seed and of its decision, or belongs to a stream of one vertex, so vertices can be
// processed in any order.
// ba: Barabasi and Albert, "Emergence of scaling in random networks", Science 1999; by retracing as in
// Sanders and Schulz, "Scalable generation of scale-free graphs", IPL 2016: entries of the list of all ends
// are recomputed, not stored.
// ws: Watts and Strogatz, "Collective dynamics of small-world networks", Nature 1998.
// sbm: Holland, Laskey, Leinhardt, "Stochastic blockmodels", 1983; absent edges are skipped as in Batagelj and Brandes, "Efficient
// generation of large random networks", Phys. Rev. E 2005.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/ingest/internal/generator.hpp"

namespace gossamer::graph {

/// The rules of one generator.
class vertex_rules {
 public:
  explicit vertex_rules(const generator& what) : g_(what) {
    if (g_.how == generator::kind::road) {
      side_ = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(g_.count)));
      while (side_ * side_ < g_.count) ++side_;
    }
  }

  /// Calls f(from, to) for each edge that vertex v determines.
  template <class F>
  void edges_of(std::uint64_t v, F f) const {
    switch (g_.how) {
      case generator::kind::grid:
        return grid(v, f);
      case generator::kind::road:
        return road(v, f);
      case generator::kind::preferential:
        return preferential(v, f);
      case generator::kind::small_world:
        return small_world(v, f);
      case generator::kind::blocks:
        return blocks(v, f);
      case generator::kind::kronecker:
      case generator::kind::uniform:
        break;
    }
  }

  /// Returns the target of an edge of preferential attachment; edge e belongs to vertex e / M + 1. The ends
  /// of all edges form a list, of which each edge draws a random entry before its vertex: an even entry is a
  /// vertex, an odd one the target of another edge.
  std::uint64_t preferential_target(std::uint64_t e) const {
    for (;;) {
      const std::uint64_t before = e / g_.width;  // vertices that already have edges
      if (before == 0) return 0;
      const std::uint64_t place = below(hash64(g_.seed, e), 2 * g_.width * before);
      if (place % 2 == 0) return place / 2 / g_.width + 1;
      e = place / 2;
    }
  }

 private:
  static std::uint64_t below(std::uint64_t random, std::uint64_t n) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((wide{random} * n) >> 64);
  }
  static double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1.0p-53; }

  template <class F>
  void grid(std::uint64_t v, F f) const {
    if (v % g_.width + 1 < g_.width) f(v, v + 1);
    if (v / g_.width + 1 < g_.count) f(v, v + g_.width);
  }

  // Each vertex has a street up or to the left, which makes a maze. A few also have the other one and a
  // diagonal.
  template <class F>
  void road(std::uint64_t v, F f) const {
    constexpr double k_other = 0.2, k_diagonal = 0.05;
    const bool has_up = v >= side_, has_left = v % side_ != 0;
    const std::uint64_t up = v - side_, left = v - 1;
    if (!has_up || !has_left) {
      if (has_up) f(v, up);
      if (has_left) f(v, left);
      return;
    }
    xoshiro256 random(hash64(g_.seed, v));
    const bool goes_up = random() >> 63 != 0;
    f(v, goes_up ? up : left);
    if (unit_double(random) < k_other) f(v, goes_up ? left : up);
    if (unit_double(random) < k_diagonal) f(v, up - 1);
  }

  template <class F>
  void preferential(std::uint64_t v, F f) const {
    if (v == 0) return;
    for (std::uint64_t j = 0; j < g_.width; ++j) f(v, preferential_target((v - 1) * g_.width + j));
  }

  template <class F>
  void small_world(std::uint64_t v, F f) const {
    for (std::uint64_t k = 1; k <= g_.width / 2; ++k) {
      const std::uint64_t random = hash64(hash64(g_.seed, v), k);
      std::uint64_t to = (v + k) % g_.count;
      if (unit(random) < g_.chance) {
        to = below(hash64(random), g_.count - 1);
        to += to >= v;  // any other vertex
      }
      f(v, to);
    }
  }

  template <class F>
  void blocks(std::uint64_t v, F f) const {
    const auto* const first = g_.bounds.data();
    const auto* const last = first + g_.width;
    const std::uint64_t end = *std::upper_bound(first, last, v), all = *(last - 1);
    xoshiro256 random(hash64(g_.seed, v));
    some(v, v + 1, end, g_.chance, random, f);
    some(v, end, all, g_.chance_between, random, f);
  }

  // Draws edges of v to each of [begin, end) with a probability.
  template <class F>
  static void some(std::uint64_t v, std::uint64_t begin, std::uint64_t end, double chance, xoshiro256& random,
                   F f) {
    if (chance <= 0) return;
    const double scale = chance < 1 ? 1 / std::log1p(-chance) : 0;
    for (std::uint64_t to = begin; to < end; ++to) {
      const double skipped = chance < 1 ? std::floor(std::log1p(-unit_double(random)) * scale) : 0;
      if (skipped >= static_cast<double>(end - to)) return;
      to += static_cast<std::uint64_t>(skipped);
      f(v, to);
    }
  }

  const generator& g_;
  std::uint64_t side_ = 0;  // road: vertices of a row
};

}  // namespace gossamer::graph
