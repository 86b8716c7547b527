#pragma once
// A set of vertices that kernels pass from step to step: each core has a list of the vertices that it owns.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// A vertex subset. Made by the main fiber. Kernels capture lists(). A core adds its own vertices only, each
/// at most once; nothing checks that.
class vertex_subset {
 public:
  /// The own vertices of a core in no order, and the number of them that edge_map() has expanded.
  struct list {
    std::vector<vertex_id> vertices;  ///< own vertices of the core
    std::size_t done = 0;  ///< expanded vertices, from the front
  };

  /// Returns the handle to capture: lists().here() is the list of the executing core.
  per_core<list> lists() const { return lists_.handle(); }
  /// Returns the number of vertices of all cores that edge_map() has not expanded. Suspends: a message to
  /// each process and its answer.
  std::uint64_t open() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n :
         collect(lists_.handle(), [](list& l) { return std::uint64_t{l.vertices.size() - l.done}; }))
      sum += n;
    return sum;
  }

 private:
  scoped_per_core<list> lists_;
};

}  // namespace gossamer::graph
