#pragma once
// An order of sources for searches from many sources. Searches from near sources share more work: a vertex is read once for
// each different distance to a source of the batch.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Returns the positions 0 to sources.size() - 1 in an order in which each `batch` consecutive sources are
/// near. Grows a batch breadth-first from the first remaining source, over vertices of no other batch. All
/// rows must be in this process. Serial: reads each arc once.
std::vector<std::uint64_t> nearby_order(const adjacency& rows, std::uint64_t vertices,
                                        std::span<const vertex_id> sources, std::size_t batch);

}  // namespace gossamer::graph
