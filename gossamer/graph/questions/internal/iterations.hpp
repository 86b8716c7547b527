#pragma once
// Shared by questions that iterate or use weights: declarations, facts about the iteration, and checks.

#include <cstdint>
#include <string_view>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {

/// Declares --tolerance and --max-iterations.
void declare_limits(parameter_list& p, double& tolerance, std::uint64_t& max_iterations);

/// Declares --weighted, for questions that count each edge 1 by default.
void declare_weighted(parameter_list& p, bool& weighted);

/// Declares --unweighted, for questions that count edges by their weights by default.
void declare_unweighted(parameter_list& p, bool& unweighted);

/// Adds the facts and the sentence about an iteration; if it has not converged, also sets answer::shortfall.
void say_iteration(answer& a, const graph& g, const iteration_result& r);

/// Throws gossamer::error, which names the edge, for an invalid length: a weight that is negative, infinite
/// or not a number. With `above_zero`, also for 0.
void check_weights(const graph& g, const asking& how, bool above_zero = false);

/// Does the same if weights are requested. For a graph without weights, throws in the program if a column
/// that was not read may have them; otherwise adds a note.
void check_weights_asked_for(const graph& g, const asking& how, bool weighted, answer& a,
                             bool above_zero = false);

/// Adds a note if self-loops were left out of `what`. `libraries` says which libraries keep them.
void note_loops(answer& a, const graph& g, const asking& how, std::string_view what,
                std::string_view libraries);

}  // namespace gossamer::graph
