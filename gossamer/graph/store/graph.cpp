#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

std::uint64_t graph::memory_bytes() const {
  const std::uint64_t directed_adjacency = (rows_.vertices + 1) * sizeof(std::uint64_t) +
                                           rows_.arcs * (sizeof(vertex_id) + weight_bytes(rows_.weights));
  const bool both = rows_.in.targets != rows_.out.targets;
  return (both ? 2 : 1) * directed_adjacency + names_.memory_bytes();
}

}  // namespace gossamer::graph
