#pragma once
// Two ways to run Brandes' algorithm on many cores, between which betweenness() chooses, and one with
// weights.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/checkpoint/checkpoint.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The saved sums of the sources searched so far. If any are saved, sums are equal to the last bit on any
/// number of cores.
struct kept_sources {
  checkpoint work;
  std::uint64_t before = 0;  // sources that an earlier start has processed
};

/// Returns the unscaled sum of dependencies per vertex. Runs all cores on one source at a time
/// (betweenness_levels.cpp). Some sum is NaN if a vertex has more than k_most_paths shortest paths.
std::vector<double> dependencies_by_levels(const graph_view& g, std::span<const vertex_id> sources,
                                           kept_sources& kept, const progress_hook& progress);

/// Returns the same sums as dependencies_by_levels(). Runs a source per core at a time
/// (betweenness_per_core.cpp).
std::vector<double> dependencies_per_core(const graph_view& g, std::span<const vertex_id> sources,
                                          kept_sources& kept, const progress_hook& progress);

/// Returns the same sums with the weights of arcs, which must be above 0, if weights are requested and exist.
/// If edges are requested, the sums of the arcs of g.out follow. Any number of paths is counted. Runs a source per core at a time
/// (betweenness_by_lengths.cpp), on graphs of any size: each process copies all rows.
std::vector<double> dependencies_by_lengths(const graph_view& g, std::span<const vertex_id> sources,
                                            bool weighted, bool edges, kept_sources& kept,
                                            const progress_hook& progress);

}  // namespace gossamer::graph
