#pragma once
// The two ways to sum distances on many cores, of which sum_distances() chooses, and eccentricities without a search from each vertex.

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What searches go over. Trivially copyable.
struct distance_query {
  graph_view graph;
  adjacency forward, backward;  // along the distances, and against them
  traversal_policy policy;
};

/// Sums distances by searches of one core each, many at a time, over all rows, in every process (distances_per_core.cpp). `seconds` stays 0.
distances_result distances_per_core(const distance_query& q, std::span<const vertex_id> sources,
                                    const progress_hook& progress);

/// Does the same by one search of all cores at a time (distances_by_levels.cpp).
distances_result distances_by_levels(const distance_query& q, std::span<const vertex_id> sources,
                                     const progress_hook& progress);

/// Returns the eccentricity of each vertex of an undirected graph, among those that it reaches: by bounds where searches from some vertices tell
/// those of many, by distances of its own otherwise (eccentricities_by_bounds.cpp).
std::vector<std::uint64_t> eccentricities_by_bounds(const graph_view& g, const distance_options& options,
                                                    const progress_hook& progress);

}  // namespace gossamer::graph
