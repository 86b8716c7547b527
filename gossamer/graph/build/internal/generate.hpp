#pragma once
// Graphs of generated edges.

#include "gossamer/graph/ingest/internal/generator.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Generates a graph. Predicts memory first (gossamer::error). Uses all cores. Weights are kept, or only counted.
graph generate(const generator& what, bool keeps_weights, const progress_hook& progress = {});

/// Does the same over several processes, each of which makes a block of the edges.
graph generate_over_processes(const generator& what, bool keeps_weights, const progress_hook& progress = {});

}  // namespace gossamer::graph
