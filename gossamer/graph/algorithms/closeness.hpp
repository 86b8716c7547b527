#pragma once
// Distances from many vertices, and measures computed from them: closeness, harmonic centrality,
// eccentricity. Breadth-first searches run from 64 sources at once [M. Then et al., "The More the Merrier:
// Efficient Multi-Source Graph Traversal", VLDB 2014]. Each arc has length 1.

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Sums over the vertices that a search has reached.
struct distance_summary {
  std::uint64_t reached = 0;  ///< vertices, the source included
  std::uint64_t sum = 0;  ///< of the distances
  double inverse_sum = 0;  ///< of 1/distance, without the source
  std::uint64_t farthest = 0;  ///< the largest distance

  /// Adds `count` vertices at a distance. Call with ascending distances, so that the sum of reals has one
  /// order.
  void add(std::uint64_t distance, std::uint64_t count) {
    reached += count;
    if (distance == 0) return;
    sum += distance * count;
    inverse_sum += static_cast<double>(count) / static_cast<double>(distance);
    farthest = distance;
  }
  /// Returns whether all members are equal.
  friend bool operator==(const distance_summary&, const distance_summary&) = default;
};

/// Which distances of a directed graph: from a vertex to others, or from others to it.
enum class path_direction : std::uint8_t { outgoing, incoming };

/// Sources, and options of the searches.
struct distance_options {
  /// The sources, each < vertices (asserted), in any order; repetitions are allowed. Unset: all vertices.
  std::optional<std::vector<vertex_id>> sources = {};
  /// The direction of the distances.
  path_direction direction = path_direction::outgoing;
  /// When searches pull.
  traversal_policy policy = {};
  /// Each core searches alone if that takes at most so many bytes in each process, and all rows lie in it or
  /// are few (then they are copied, up to 10 MiB). Otherwise all cores run each search together.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

/// The result.
struct distances_result {
  /// By source: all vertices, or the given ones in their order.
  std::vector<distance_summary> distances;
  /// Number of searches, of up to 64 sources each.
  std::uint64_t batches = 0;
  /// Of the searches alone.
  double seconds = 0;
};

/// Sums the distances of each source. Collective over all cores; main fiber. Equal to the last bit on any
/// number of cores and processes. Takes 44 bytes of memory per vertex on each core, or in all
/// (distance_options::most_bytes), and 32 per source in process 0.
distances_result sum_distances(const graph_view& g, const distance_options& options = {},
                               const progress_hook& progress = {});

/// The vertices whose closeness is computed, and its scaling.
struct closeness_options {
  /// The vertices. Unset: all.
  std::optional<std::vector<vertex_id>> sources = {};
  /// The direction: NetworkX uses the distances from others to a vertex.
  path_direction direction = path_direction::incoming;
  /// Multiplies closeness by the share of other vertices that are reached [S. Wasserman, K. Faust, "Social
  /// Network Analysis", 1994].
  bool wf_improved = true;
  /// When searches pull.
  traversal_policy policy = {};
};

/// The result.
struct closeness_result {
  std::vector<double>
      closeness;  // by source: (reached - 1) / sum of distances, scaled; 0 where nothing is reached
  std::vector<double> harmonic;  // by source: the sum of 1/distance
  /// By source: the sums that both are computed from.
  std::vector<distance_summary> distances;
  /// Of the searches alone.
  double seconds = 0;
};

/// Computes closeness and harmonic centrality, as NetworkX's closeness_centrality and harmonic_centrality
/// define them. Collective over all cores; main fiber. Memory as for sum_distances().
closeness_result closeness(const graph_view& g, const closeness_options& options = {},
                           const progress_hook& progress = {});

/// The result.
struct eccentricity_result {
  std::vector<std::uint64_t> eccentricity;  // by source: the largest distance to a vertex that it reaches
  std::uint64_t largest = 0;  // over the sources: the diameter, if they are all vertices
  std::uint64_t smallest = 0;  // over the sources: the radius, if they are all vertices
  bool reaches_all = true;  // every source reaches every vertex
  /// Of the searches alone.
  double seconds = 0;
};

/// Computes eccentricities among reached vertices; NetworkX refuses a graph that is not connected. Collective
/// over all cores; main fiber. For all vertices of an undirected graph, bounds give most eccentricities
/// without a search [F. W. Takes, W. A. Kosters, "Computing the Eccentricity Distribution of Large Graphs",
/// Algorithms 2013]; that takes 32 bytes of memory per vertex, and up to 40 in process 0. The remaining ones,
/// and all other cases, take the memory of sum_distances().
eccentricity_result eccentricities(const graph_view& g, const distance_options& options = {},
                                   const progress_hook& progress = {});

}  // namespace gossamer::graph
