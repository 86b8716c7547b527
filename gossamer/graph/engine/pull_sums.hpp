#pragma once
// The inner loop of pulling kernels: sums of values at the ends of arcs. Cache misses dominate it, so it
// prefetches the values of later arcs. It adds in four partial sums, so that no addition waits for the
// previous one (ADR 0058).

#include <cstdint>
#include <type_traits>
#include <utility>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Rows to pull along. Trivially copyable, like adjacency.
class puller {
 public:
  /// Takes the rows, and their total number of arcs.
  puller(const adjacency& rows, std::uint64_t arcs) : rows_(rows), targets_end_(rows.targets + arcs) {}

  /// Returns the number of arcs in the rows of vertices [begin, end).
  std::uint64_t arcs(std::uint64_t begin, std::uint64_t end) const {
    return rows_.offsets[end] - rows_.offsets[begin];
  }

  /// Returns the sum of values[u] over the row of v, in double. Adds in the same order on any number of
  /// cores.
  template <class T>
  double sum(const T* values, vertex_id v) const {
    const vertex_id* u = rows_.targets + rows_.offsets[v];
    const vertex_id* const end = rows_.targets + rows_.offsets[v + 1];
    // The prefetch at the end of a row reads into the rows that follow, which are usually pulled next.
    return targets_end_ - end >= k_ahead ? sum<true>(values, u, end) : sum<false>(values, u, end);
  }

 private:
  static constexpr std::ptrdiff_t k_ahead = 128;

  template <bool Ahead, class T>
  static double sum(const T* values, const vertex_id* u, const vertex_id* end) {
    double partial[4] = {0, 0, 0, 0};
    for (; end - u >= 4; u += 4) {
      for (int i = 0; i < 4; ++i) {
        if constexpr (Ahead) __builtin_prefetch(&values[u[k_ahead + i]]);
        partial[i] += static_cast<double>(values[u[i]]);
      }
    }
    for (; u != end; ++u) {
      if constexpr (Ahead) __builtin_prefetch(&values[u[k_ahead]]);
      partial[0] += static_cast<double>(values[*u]);
    }
    return (partial[0] + partial[1]) + (partial[2] + partial[3]);
  }

  adjacency rows_;
  const vertex_id* targets_end_;
};

/// Rows to pull along, weighted by their arcs' weights of type Weight. Trivially copyable.
template <class Weight>
class weighted_puller {
 public:
  /// Takes the rows, and their total number of arcs.
  weighted_puller(const adjacency& rows, std::uint64_t arcs)
      : rows_(rows), weights_(rows.weights_as<Weight>()), arcs_(arcs) {}

  /// Returns the number of arcs in the rows of vertices [begin, end).
  std::uint64_t arcs(std::uint64_t begin, std::uint64_t end) const {
    return rows_.offsets[end] - rows_.offsets[begin];
  }

  /// Returns the sum of weight * values[u] over the row of v, in double. Adds in the same order on any number of cores.
  template <class T>
  double sum(const T* values, vertex_id v) const {
    const std::uint64_t begin = rows_.offsets[v], end = rows_.offsets[v + 1];
    return arcs_ - end >= k_ahead ? sum<true>(values, begin, end) : sum<false>(values, begin, end);
  }

 private:
  static constexpr std::uint64_t k_ahead = 128;

  template <bool Ahead, class T>
  double sum(const T* values, std::uint64_t i, std::uint64_t end) const {
    const vertex_id* const u = rows_.targets;
    double partial[4] = {0, 0, 0, 0};
    for (; end - i >= 4; i += 4) {
      for (std::uint64_t k = 0; k < 4; ++k) {
        if constexpr (Ahead) __builtin_prefetch(&values[u[i + k + k_ahead]]);
        partial[k] += static_cast<double>(weights_[i + k]) * static_cast<double>(values[u[i + k]]);
      }
    }
    for (; i != end; ++i) partial[0] += static_cast<double>(weights_[i]) * static_cast<double>(values[u[i]]);
    return (partial[0] + partial[1]) + (partial[2] + partial[3]);
  }

  adjacency rows_;
  const Weight* weights_;
  std::uint64_t arcs_;
};

/// Calls f with a puller along `rows`, which are g.out or g.in. It uses the weights of arcs if `by_weights` and the graph has
/// weights; otherwise each arc counts 1.
template <class F>
decltype(auto) with_puller(const graph_view& g, const adjacency& rows, bool by_weights, F&& f) {
  if (!by_weights || g.weights == weight_type::none) return f(puller(rows, g.arcs));
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return f(weighted_puller<Weight>(rows, g.arcs));
  });
}

}  // namespace gossamer::graph
