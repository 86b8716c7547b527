#pragma once
// Refuses weights of parallel edges that add up beyond doubles.

#include <string>

#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Throws gossamer::error, which names `source` and the first such edge, if a weight of a graph built with
/// duplicate_rule::sum is infinite. What was added up was finite. Makes one pass over the weights. Main fiber.
void check_sums(const graph& g, const std::string& source);

}  // namespace gossamer::graph
