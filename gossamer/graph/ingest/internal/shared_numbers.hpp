#pragma once
// Numbers vertices by the ids or names that several processes have found, each in its block of a text, with
// the same result as in one process. Each id or name is assigned to a process that numbers it, so no process
// has all of them. Process 0 receives the labels, each once, because it finds vertices by name and writes
// answers. Collective (process_collectives.hpp): by one fiber of every process.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

struct shared_numbers {
  std::vector<vertex_id> numbers;  // of this block's ids or names
  std::uint64_t vertices = 0;  // of all processes: may exceed the vertex type; then the rest is meaningless
  labels names;  // process 0
};

/// Numbers ids in the ascending order of those of all processes. `ids` are ascending, each once.
shared_numbers number_ids(std::span<const std::uint64_t> ids);

/// Numbers names in order of first appearance. Takes each name once, and its first position.
shared_numbers number_names(const labels& names, const std::vector<std::uint64_t>& positions);

}  // namespace gossamer::graph
