#pragma once
// Two ways to sum distances on many cores, between which sum_distances() chooses, and eccentricities without
// a search from each vertex.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The rows that searches use. Trivially copyable.
struct distance_query {
  graph_view graph;
  adjacency forward, backward;  // in the direction of the distances, and reversed
  traversal_policy policy;
};

/// Sums distances; each core runs searches alone, over all rows, in every process (distances_per_core.cpp).
/// `seconds` stays 0.
distances_result distances_per_core(const distance_query& q, std::span<const vertex_id> sources,
                                    const progress_hook& progress);

/// Does the same; all cores run one search at a time (distances_by_levels.cpp).
distances_result distances_by_levels(const distance_query& q, std::span<const vertex_id> sources,
                                     const progress_hook& progress);

/// Returns the eccentricity of each vertex of an undirected graph among the vertices that it reaches. Uses
/// bounds if searches from some vertices give the eccentricities of many; otherwise searches from every
/// vertex (eccentricities_by_bounds.cpp).
std::vector<std::uint64_t> eccentricities_by_bounds(const graph_view& g, const distance_options& options,
                                                    const progress_hook& progress);

}  // namespace gossamer::graph
