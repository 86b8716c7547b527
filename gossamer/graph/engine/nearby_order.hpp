#pragma once
// An order of sources for searches of many at once. They have more in common the nearer their sources are: a vertex is looked at once for
// each different distance to a source of the batch.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Returns the positions 0 to sources.size() - 1 in an order in which each `batch` that follow one another are near. Grows a batch from
/// the first source left, breadth first, over vertices that no batch has. All rows lie in this process. Serial: looks at each arc once.
std::vector<std::uint64_t> nearby_order(const adjacency& rows, std::uint64_t vertices,
                                        std::span<const vertex_id> sources, std::size_t batch);

}  // namespace gossamer::graph
