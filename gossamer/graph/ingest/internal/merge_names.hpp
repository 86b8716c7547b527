#pragma once
// Merges the dictionaries of all cores of a process: vertices in order of first appearance, so the same for
// any number of cores.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/internal/name_dictionary.hpp"
#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

struct merged_names {
  labels names;
  std::vector<std::uint64_t> positions;  // of the first appearances, ascending; if requested
  bool as_numbered = false;  // one dictionary has all names: vertices are its numbers

  /// Returns the vertices of a dictionary's numbers, unless both are equal.
  std::span<const vertex_id> vertices_of(std::size_t dictionary) const {
    return vertices.all().subspan(begin[dictionary], begin[dictionary + 1] - begin[dictionary]);
  }

  buffer<vertex_id> vertices;  // by number, concatenated for all dictionaries
  std::vector<std::uint64_t> begin;  // beginning of each dictionary
};

/// Merges the names of all dictionaries. Uses the cores of this process.
merged_names merge_names(std::vector<const name_dictionary*> dictionaries, bool positions);

}  // namespace gossamer::graph
