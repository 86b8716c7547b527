#pragma once
// The ways to run Brandes' algorithm on many cores; betweenness() chooses.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/checkpoint/checkpoint.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What is kept of the sources that have been searched from. Where anything is, sums are the same to the last digit on any number of cores.
struct kept_sources {
  checkpoint work;
  std::uint64_t before = 0;  // sources of an earlier start
};

/// Returns the unscaled sum of dependencies per vertex. Runs all cores on one source at a time
/// (betweenness_levels.cpp).
std::vector<double> dependencies_by_levels(const graph_view& g, std::span<const vertex_id> sources,
                                           kept_sources& kept, const progress_hook& progress);

/// Returns the same sums as dependencies_by_levels(). Runs a source per core at a time
/// (betweenness_per_core.cpp).
std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          kept_sources& kept, const progress_hook& progress);

/// Returns the same sums by the weights of arcs, which are above 0, where that is asked for and there are some; the sums of the arcs of g.out
/// follow where edges are asked for. Runs a source per core at a time (betweenness_by_lengths.cpp), on graphs of any size: over processes each
/// copies all rows.
std::vector<double> dependencies_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                            bool weighted, bool edges, kept_sources& kept,
                                            const progress_hook& progress);

}  // namespace gossamer::graph
