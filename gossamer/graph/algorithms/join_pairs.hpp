#pragma once
// Joins vertices by pairs of them that algorithms elsewhere have found: the last step of connected components, where what is left to
// join is no graph in rows. Trees of labels, whose larger roots are hooked below smaller ones (Shiloach and Vishkin, 1982).

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// Pairs of vertices to join that a core has found.
using vertex_pairs = std::vector<std::pair<vertex_id, vertex_id>>;

/// Returns, for each vertex, the smallest vertex that pairs join it with; itself where there is none. `bounds` are the boundaries of the
/// cores' blocks, those of the labels too. Takes the pairs of all cores away. Process 0 joins up to `few` pairs by itself; more are
/// joined in rounds by all processes. Collective over all cores; main fiber. Costs 4 bytes a vertex, with rounds 8, and a pair 16.
scoped_array<vertex_id> join_pairs(std::uint64_t vertices, const std::vector<std::uint64_t>& bounds,
                                   per_core<vertex_pairs> pairs, std::uint64_t few,
                                   const progress_hook& progress = {});

}  // namespace gossamer::graph
