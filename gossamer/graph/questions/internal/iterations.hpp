#pragma once
// Questions that iterate: what they declare, what is said of the iteration, and what is said of weights that they count by.

#include <cstdint>
#include <string_view>

#include "gossamer/graph/algorithms/iteration.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {

/// Declares --tolerance and --max-iterations.
void declare_limits(parameter_list& p, double& tolerance, std::uint64_t& max_iterations);

/// Declares --weighted, for what counts edges by 1 unless it is given.
void declare_weighted(parameter_list& p, bool& weighted);

/// Declares --unweighted, for what counts edges by their weights unless it is given.
void declare_unweighted(parameter_list& p, bool& unweighted);

/// Adds the facts and the sentence about an iteration, and what it lacks where it has not converged.
void say_iteration(answer& a, const graph& g, const iteration_result& r);

/// Throws gossamer::error, by the edge, where a weight is less than 0, or not above it.
void check_weights(const graph& g, const asking& how, bool above_zero = false);

/// Does the same where weights are to be used: for 0, too, where they have to be above it. Where there are none, throws in the program if
/// columns look like weights; else adds a note.
void check_weights_asked_for(const graph& g, const asking& how, bool weighted, answer& a,
                             bool above_zero = false);

/// Adds a note where self-loops were left out of `what`, which the libraries keep.
void note_loops(answer& a, const graph& g, const asking& how, std::string_view what,
                std::string_view libraries);

}  // namespace gossamer::graph
