#pragma once
// Searches with weights as lengths: messages about graphs without weights, or with an invalid one.

#include <memory>
#include <optional>
#include <span>

#include "gossamer/graph/algorithms/bellman_ford.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {

/// Throws gossamer::error, in the program, for a graph without weights whose file has numeric columns that
/// were not read.
void check_for_lengths(const graph& g, const asking& how);

/// Allocates the arrays of a search. Throws gossamer::error as check_for_lengths() does, and for a weight
/// that is no valid length: that message names the edge.
std::shared_ptr<shortest_paths> search_of_lengths(const graph& g, const asking& how,
                                                  const sssp_options& options);

/// Throws gossamer::error as check_for_lengths() does. Throws it also for a weight that is infinite or not a
/// number, and for a self-loop of negative weight.
void check_any_weights(const graph& g, const asking& how);

/// Throws gossamer::error for a negative cycle, and names its vertices. Verifies the cycle on request: that
/// the source, if one is given, reaches it.
[[noreturn]] void refuse_cycle(const graph& g, std::optional<vertex_id> source,
                               std::span<const vertex_id> cycle, const asking& how);

/// Searches with weights of any sign. Throws gossamer::error as check_any_weights() does, and for a negative
/// cycle that the source reaches, whose vertices it names.
bellman_ford_result search_of_any_weights(const graph& g, vertex_id source, const asking& how);

}  // namespace gossamer::graph
