#pragma once
// Betweenness centrality with a task for each vertex of a level, the form of the Grappa paper: a task waits for every neighbour in turn.
// A study: graph::betweenness waits for nothing.

#include <cstdint>
#include <span>

#include "gossamer/graph/algorithms/betweenness.hpp"

namespace gossamer::studies {

struct task_betweenness_options {
  /// Idle cores may take tasks; else they stay on the owner of their vertex.
  bool stealable = true;
  /// As graph::betweenness_options::scale.
  double scale = 1;
};

/// Computes what graph::betweenness() does. Collective over all cores; main fiber.
graph::betweenness_result task_betweenness(const graph::graph_view& g,
                                           std::span<const graph::vertex_id> sources,
                                           const task_betweenness_options& options = {},
                                           const graph::progress_hook& progress = {});

}  // namespace gossamer::studies
