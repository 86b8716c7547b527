#pragma once
// Searches by weights that are lengths: what is said where a graph has none, or one that is no length.

#include <memory>
#include <optional>
#include <span>

#include "gossamer/graph/algorithms/bellman_ford.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {

/// Throws gossamer::error, in the program, where columns look like weights and none of them was taken.
void check_for_lengths(const graph& g, const asking& how);

/// Makes room for a search. Throws gossamer::error as check_for_lengths() does, and where a weight is no length, by the edge.
std::shared_ptr<shortest_paths> search_of_lengths(const graph& g, const asking& how,
                                                  const sssp_options& options);

/// Throws gossamer::error as check_for_lengths() does, for a weight that is infinite or not a number, and for a self-loop of negative weight.
void check_any_weights(const graph& g, const asking& how);

/// Throws gossamer::error for a negative cycle that was found, from the source if one is given: names its vertices.
[[noreturn]] void refuse_cycle(const graph& g, std::optional<vertex_id> source,
                               std::span<const vertex_id> cycle, const asking& how);

/// Searches by weights of any sign. Throws gossamer::error as check_for_lengths() does, and for a negative cycle, whose vertices it
/// names.
bellman_ford_result search_of_any_weights(const graph& g, vertex_id source, const asking& how);

}  // namespace gossamer::graph
