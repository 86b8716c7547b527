#pragma once
// All rows of a graph in every process, for cores that search alone: read in place, or copied from processes
// that share no memory.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// The rows of one direction. Each process of the job has one object, in a per_process.
class whole_rows {
 public:
  /// Collects the rows, g.out or g.in, of all processes, and their weights if requested. Collective over the
  /// processes: inside on_all_processes().
  void take(const graph_view& g, const adjacency& mine, bool weighted = false) {
    all_ = mine;
    if (memory::all_lies_here()) return;
    const vertex_range own = own_vertices(g);
    offsets_ =
        parts_of_all<std::uint64_t>({mine.offsets + own.begin, mine.offsets + own.end}, g.vertices + 1);
    offsets_[g.vertices] = g.arcs;
    targets_ = parts_of_all<vertex_id>(
        {mine.targets + mine.offsets[own.begin], mine.targets + mine.offsets[own.end]}, g.arcs);
    all_ = {offsets_.data(), targets_.data()};
    if (!weighted) return;
    const std::uint64_t width = weight_bytes(g.weights);
    weights_ = parts_of_all<std::byte>(
        {mine.weights + mine.offsets[own.begin] * width, mine.weights + mine.offsets[own.end] * width},
        g.arcs * width);
    all_.weights = weights_.data();
  }
  /// Returns all rows.
  const adjacency& all() const { return all_; }

  /// Returns whether a copy in each process pays: at most 5 MiB for a direction.
  static bool is_small(const graph_view& g) { return g.vertices <= 1 << 17 && g.arcs <= 1 << 20; }

 private:
  /// Returns the parts of all processes, one after the other, with capacity `size`. Collective.
  template <class U>
  static buffer<U> parts_of_all(std::span<const U> mine, std::uint64_t size) {
    buffer<U> all(size);
    U* to = all.data();
    for (const auto& part : exchange(std::vector(processes(), std::vector<U>(mine.begin(), mine.end()))))
      to = std::ranges::copy(part, to).out;
    return all;
  }

  buffer<std::uint64_t> offsets_;
  buffer<vertex_id> targets_;
  buffer<std::byte> weights_;
  adjacency all_{};
};

}  // namespace gossamer::graph
