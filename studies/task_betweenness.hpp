#pragma once
// Betweenness centrality with a task for each vertex of a level, as in the Grappa paper: a task waits for one
// neighbour after another. A study; graph::betweenness never waits.

#include <cstdint>
#include <span>

#include "gossamer/graph/algorithms/betweenness.hpp"

namespace gossamer::studies {

struct task_betweenness_options {
  /// Idle cores may take tasks; else a task stays on the owner of its vertex.
  bool stealable = true;
  /// The same as graph::betweenness_options::scale.
  double scale = 1;
};

/// Computes the same as graph::betweenness(). Collective over all cores; by the main fiber.
graph::betweenness_result task_betweenness(const graph::graph_view& g,
                                           std::span<const graph::vertex_id> sources,
                                           const task_betweenness_options& options = {},
                                           const graph::progress_hook& progress = {});

}  // namespace gossamer::studies
