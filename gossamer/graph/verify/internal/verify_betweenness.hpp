#pragma once
// Checks of betweenness that verify.cpp has no serial search for: by weights, and of edges.

#include <span>

#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

/// Does what verify_betweenness() does, by lists of predecessors.
check verify_betweenness_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                    const betweenness_options& options, const betweenness_result& result);

/// Checks scores by those expected, to a part of each.
check compare_scores(std::span<const double> expected, std::span<const double> found, double tolerance);

}  // namespace gossamer::graph
