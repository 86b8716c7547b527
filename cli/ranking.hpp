#pragma once
// What pagerank and betweenness have in common: a score per vertex.

#include <span>

#include "loaded.hpp"

namespace gossamer::cli {

/// The best --top of them, as a table and under the key "top".
void say_ranking(session& s, const loaded_graph& g, std::span<const double> scores);

/// A row per vertex into --output, where it was given.
void write_ranking(session& s, const loaded_graph& g, std::span<const double> scores);

}  // namespace gossamer::cli
