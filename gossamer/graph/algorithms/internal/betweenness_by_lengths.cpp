// Brandes' algorithm with weights, and sums for arcs: a source per core, as betweenness_per_core.cpp.
//
// Algorithm: per source, forward: vertices in the order of their lengths, by a heap [E. W. Dijkstra,
//   Numerische Mathematik 1959], or by a queue if each arc has length 1. sigma(v), the number of shortest
//   paths, is final when v is settled. Backward: an arc v -> w is on shortest paths if length(v) + its
//   weight is length(w). It adds (1 + delta(w)) * sigma(v) / sigma(w) to v, and to the arc's own sum [U.
//   Brandes, "On variants of shortest-path betweenness centrality", Social Networks 2008].
// Encoding: lengths are 64-bit integers if weights are, otherwise doubles; they are compared without a
//   tolerance. Weights are above 0 (the caller checks): with an arc of length 0, paths could not be counted
//   in one pass. For the same reason a weight that is lost by rounding on a shortest path is an error.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/path_count.hpp"
#include "gossamer/graph/algorithms/internal/sources_per_core.hpp"
#include "gossamer/graph/engine/length_heap.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"

namespace gossamer::graph {

namespace {

/// The arrays of a core. Weight: type of weights; void: each arc has length 1. Edges: also sums the
/// dependencies of arcs, after those of vertices.
template <class Weight, bool Edges>
class path_sums {
 public:
  void search(const graph_view& g, const adjacency& out, vertex_id source) {
    if (length_.empty()) {
      length_.assign(g.vertices, k_far);
      sigma_.assign(g.vertices, path_count());
      delta_.assign(g.vertices, 0);
      sums.assign(g.vertices + (Edges ? g.arcs : 0), 0);
    }
    scan_meter meter(k_push);
    length_[source] = 0;
    sigma_[source] = path_count(1);
    if constexpr (std::is_void_v<Weight>)
      count_by_queue(out, source);
    else
      count_by_heap(out, source);
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      accumulate(g, out, *v, *v == source);
      meter.arcs += 2 * out.degree(*v);
    }
    meter.rows = 2 * order_.size();
    for (const vertex_id v : reached_) {
      length_[v] = k_far;
      delta_[v] = 0;
    }
    order_.clear();
    reached_.clear();
  }

  std::vector<double> sums;  // of vertices, then of arcs

 private:
  using length =
      std::conditional_t<std::is_void_v<Weight> || std::is_integral_v<Weight>, std::uint64_t, double>;
  static constexpr bool k_rounds = std::is_floating_point_v<length>;
  static constexpr length k_far =
      k_rounds ? std::numeric_limits<length>::infinity() : std::numeric_limits<length>::max();

  static length weight_of(const adjacency& out, std::uint64_t arc) {
    if constexpr (std::is_void_v<Weight>)
      return 1;
    else
      return static_cast<length>(out.weights_as<Weight>()[arc]);
  }
  /// Relaxes an arc, and counts the shortest paths to its end. Returns whether the end is reached by a
  /// shorter path than before.
  bool relax(const adjacency& out, vertex_id v, std::uint64_t arc) {
    const vertex_id w = out.targets[arc];
    const length to = length_[v] + weight_of(out, arc);
    if (to > length_[w]) return false;
    if constexpr (k_rounds) {
      if (to == k_far) {
        overflows_.push_back(w);
        return false;
      }
      if (to <= length_[v]) refuse_lost_weight(weight_of(out, arc), to);
    }
    if (to == length_[w]) {
      sigma_[w].add(sigma_[v]);
      return false;
    }
    if (length_[w] == k_far) reached_.push_back(w);
    length_[w] = to;
    sigma_[w] = sigma_[v];
    return true;
  }
  [[noreturn, gnu::cold]] static void refuse_lost_weight(length weight, length path) {
    throw error(
        fmt::format("betweenness: a weight of {} is lost by rounding beside a path of length {}: expected "
                    "weights that differ less",
                    weight, path));
  }
  /// Throws gossamer::error if each path to some vertex has a length that overflows.
  void check_overflows() {
    for (const vertex_id v : overflows_)
      if (length_[v] == k_far) throw error("betweenness: the length of a path exceeds what a double holds");
    overflows_.clear();
  }
  void count_by_queue(const adjacency& out, vertex_id source) {
    reached_.assign(1, source);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const vertex_id v = reached_[i];
      for (std::uint64_t arc = out.offsets[v]; arc < out.offsets[v + 1]; ++arc) (void)relax(out, v, arc);
    }
    order_ = reached_;
  }
  void count_by_heap(const adjacency& out, vertex_id source) {
    reached_.assign(1, source);
    heap_.push(0, source);
    while (!heap_.empty()) {
      const auto [at, v] = heap_.pop();
      if (at != length_[v]) continue;  // a shorter path has been found since
      order_.push_back(v);
      for (std::uint64_t arc = out.offsets[v]; arc < out.offsets[v + 1]; ++arc)
        if (relax(out, v, arc)) heap_.push(length_[out.targets[arc]], out.targets[arc]);
    }
    check_overflows();
  }
  void accumulate(const graph_view& g, const adjacency& out, vertex_id v, bool is_source) {
    for (std::uint64_t arc = out.offsets[v]; arc < out.offsets[v + 1]; ++arc) {
      const vertex_id w = out.targets[arc];
      const length to = length_[v] + weight_of(out, arc);
      if (to != length_[w]) continue;
      const double share = sigma_[v].share_of(sigma_[w]) * (1 + delta_[w]);
      delta_[v] += share;
      if constexpr (Edges) sums[g.vertices + arc] += share;
    }
    if (!is_source) sums[v] += delta_[v];
  }

  std::vector<length> length_;
  std::vector<path_count> sigma_;
  std::vector<double> delta_;
  std::vector<vertex_id> order_, reached_;
  std::vector<vertex_id> overflows_;  // ends of arcs by which the length of a path overflows
  length_heap<length> heap_;
};

template <class Weight>
std::vector<double> sums_of_paths(const graph_view& g, std::span<const vertex_id> sources, bool edges,
                                  kept_sources& kept, const progress_hook& progress) {
  constexpr bool weighted = !std::is_void_v<Weight>;
  return edges ? sources_per_core<path_sums<Weight, true>>::sums(g, weighted, sources, g.vertices + g.arcs,
                                                                 kept, progress)
               : sources_per_core<path_sums<Weight, false>>::sums(g, weighted, sources, g.vertices, kept,
                                                                  progress);
}

}  // namespace

std::vector<double> dependencies_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                            bool weighted, bool edges, kept_sources& kept,
                                            const progress_hook& progress) {
  if (!weighted || g.weights == weight_type::none)
    return sums_of_paths<void>(g, sources, edges, kept, progress);
  return with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
    return sums_of_paths<Weight>(g, sources, edges, kept, progress);
  });
}

}  // namespace gossamer::graph
