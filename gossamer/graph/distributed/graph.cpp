#include "gossamer/graph/distributed/graph.hpp"

namespace gossamer::graph {

std::uint64_t graph::memory_bytes() const {
  const std::uint64_t one_way = (rows_.vertices + 1) * sizeof(std::uint64_t) + rows_.arcs * sizeof(vertex_id);
  const bool both = rows_.in.targets != rows_.out.targets;
  return (both ? 2 : 1) * one_way + names_.memory_bytes();
}

}  // namespace gossamer::graph
