#pragma once
// The numbers of vertices whose ids or names several processes have found, each in its block of a text: the
// same as in one process. Every id or name has a process that numbers it, so none holds all that were found;
// process 0 gets the labels, each once, as it finds vertices by name and writes answers.
// Collective (process_collectives.hpp): by one fiber of every process.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

struct shared_numbers {
  std::vector<vertex_id> numbers;  // of this block's ids or names
  std::uint64_t vertices = 0;  // of all: may be more than there are numbers for; then the rest means nothing
  labels names;  // process 0
};

/// Numbers ids in the ascending order of those of all processes. `ids` are ascending, each once.
shared_numbers number_ids(std::span<const std::uint64_t> ids);

/// Numbers names in order of first appearance. Takes each name once, and where it first appears.
shared_numbers number_names(const labels& names, const std::vector<std::uint64_t>& positions);

}  // namespace gossamer::graph
