#pragma once
// The ways to run Brandes' algorithm on many cores; betweenness() chooses.

#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Returns the unscaled sum of dependencies per vertex. Runs all cores on one source at a time
/// (betweenness_levels.cpp).
std::vector<double> dependencies_by_levels(const graph_view& g, std::span<const vertex_id> sources,
                                           const progress_hook& progress);

/// Returns the same sums as dependencies_by_levels(). Runs a source per core at a time
/// (betweenness_per_core.cpp).
std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          const progress_hook& progress);

/// Returns the same sums by the weights of arcs, which are above 0, where that is asked for and there are some; the sums of the arcs of g.out
/// follow where edges are asked for. Runs a source per core at a time (betweenness_by_lengths.cpp), on graphs of any size: over processes each
/// copies all rows.
std::vector<double> dependencies_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                            bool weighted, bool edges, const progress_hook& progress);

}  // namespace gossamer::graph
