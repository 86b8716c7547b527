#pragma once
// Graph500's rules, by all processes at once: for verify.cpp.

#include <span>

#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

/// Checks a search by all processes. Every process follows all parents to levels (O(vertices)) and checks the
/// rows that it has. `parents` are as bfs::parents() gives them. Called by the main fiber.
check verify_bfs_over_processes(const graph_view& g, const bfs_result& result,
                                std::span<const vertex_id> parents);

}  // namespace gossamer::graph
