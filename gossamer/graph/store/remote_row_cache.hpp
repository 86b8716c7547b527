#pragma once
// Rows for one fiber of process 0 that reads all of them in order: writers and verifiers. In one process, and
// if all processes are on one node, rows are read in place. Otherwise a cache of a few megabytes moves over
// the rows of the other processes, so that no process has all rows. The offsets (O(vertices)) are copied
// whole.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Reads any row for one fiber, in ascending order; fetches rows of other processes in batches.
class remote_row_cache {
 public:
  /// Makes a cache of `rows`, which are g.out or g.in. With several processes by the main fiber; suspends.
  remote_row_cache(const graph_view& g, const adjacency& rows);

  /// Returns the offsets of all vertices; the number of arcs is the last one.
  const std::uint64_t* offsets() const { return offsets_; }
  /// Returns the number of neighbours.
  std::uint64_t degree(vertex_id v) const { return offsets_[v + 1] - offsets_[v]; }

  /// Returns a row, valid until the next call. Suspends if the cached arcs have to change, so ascending order
  /// is fastest.
  std::span<const vertex_id> operator[](vertex_id v) {
    return {arcs(offsets_[v], offsets_[v + 1]), static_cast<std::size_t>(degree(v))};
  }
  /// Returns the targets of arcs [from, to), valid until the next call.
  const vertex_id* arcs(std::uint64_t from, std::uint64_t to) {
    if (window_.begin > from || to > window_.end) move(from, to);
    return window_.data + (from - window_.begin);
  }
  /// Returns the weights of arcs [from, to) of a weighted graph, valid until the next call of weights().
  /// Suspends as arcs() does.
  const std::byte* weights(std::uint64_t from, std::uint64_t to) {
    if (weights_.begin > from || to > weights_.end) move_weights(from, to);
    return weights_.data + (from - weights_.begin) * weight_bytes(graph_.weights);
  }
  /// Returns whether all rows are read in place.
  bool in_place() const { return !leads_; }

 private:
  static constexpr std::uint64_t k_window_arcs = std::uint64_t{1} << 22;

  void move(std::uint64_t from, std::uint64_t to);
  void move_weights(std::uint64_t from, std::uint64_t to);

  graph_view graph_;
  adjacency rows_;
  const std::uint64_t* offsets_;
  template <class T>
  struct window {
    std::uint64_t begin, end;
    const T* data;
  };
  window<vertex_id> window_;
  window<std::byte> weights_;
  std::unique_ptr<scoped_per_core<bool>> leads_;  // with several processes: on the first core of each
  std::vector<std::uint64_t> all_offsets_;
  std::vector<vertex_id> copied_;
  std::vector<std::byte> copied_weights_;
};

}  // namespace gossamer::graph
