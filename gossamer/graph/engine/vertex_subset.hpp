#pragma once
// A set of vertices as kernels pass it from step to step: each core has a list of those that it owns.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Made by the main fiber. Kernels capture lists(). A core adds its own vertices only, each once: that is the matter of the kernel.
class vertex_subset {
 public:
  /// The own vertices of a core, in no order, and how many of them edge_map() has gone on from.
  struct list {
    std::vector<vertex_id> vertices;  ///< of this core
    std::size_t done = 0;  ///< from the front
  };

  /// Returns the handle to capture: lists().here() is the list of the core that runs.
  per_core<list> lists() const { return lists_.handle(); }
  /// Counts the vertices of all cores that edge_map() has not gone on from. Suspends: a message to each process and back.
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
