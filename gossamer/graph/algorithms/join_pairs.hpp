#pragma once
// Joins vertices by pairs that other algorithms have found: the last step of connected components, when the
// edges that are left are not stored as a graph. Trees of labels; larger roots are joined below smaller ones
// (Shiloach and Vishkin, 1982).

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Pairs of vertices to join, found by one core.
using vertex_pairs = std::vector<std::pair<vertex_id, vertex_id>>;

/// Returns, for each vertex, the smallest vertex of its set. `bounds` are the boundaries of the cores'
/// blocks, also of the returned array. Consumes the pairs of all cores. Process 0 joins up to `few` pairs
/// alone; more are joined in rounds by all processes. Collective over all cores; main fiber. Takes 4 bytes of
/// memory per vertex, with rounds 8, and 16 per pair.
scoped_array<vertex_id> join_pairs(std::uint64_t vertices, const std::vector<std::uint64_t>& bounds,
                                   per_core<vertex_pairs> pairs, std::uint64_t few,
                                   const progress_hook& progress = {});

}  // namespace gossamer::graph
