#pragma once
// What pagerank and betweenness have in common: a score per vertex.

#include <span>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

/// Adds the best `most` of them, as a table and under the key "top".
void say_ranking(session& s, const loaded_graph& g, std::span<const double> scores, std::uint64_t most);

/// Writes a row per vertex into --output, where it was given.
void write_ranking(session& s, const loaded_graph& g, std::span<const double> scores);

}  // namespace gossamer::cli
