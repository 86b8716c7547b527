#pragma once
// Distances from many vertices, and what is made of them: closeness, harmonic centrality, eccentricity. Breadth-first searches from 64
// sources at once [M. Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014]. Each arc counts 1.

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The vertices that a search has reached, summed up.
struct distance_summary {
  std::uint64_t reached = 0;  ///< vertices, the source included
  std::uint64_t sum = 0;  ///< of their distances
  double inverse_sum = 0;  ///< of 1/distance, without the source
  std::uint64_t farthest = 0;  ///< the largest distance

  /// Adds `count` vertices at a distance. The nearest come first, so the sum of reals has one order.
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

/// From where, and how searches run.
struct distance_options {
  /// Of which vertices, each < vertices (asserted), in any order, also more than once. Unset: all.
  std::optional<std::vector<vertex_id>> sources = {};
  /// Which distances.
  path_direction direction = path_direction::outgoing;
  /// When searches pull.
  traversal_policy policy = {};
  /// Lets each core search by itself where that takes at most so many bytes in each process, and all rows lie in it or are few: then they are
  /// copied, up to 10 MiB. Otherwise all cores go through a search together.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

/// What was found.
struct distances_result {
  /// By source: of all vertices, or as they were given.
  std::vector<distance_summary> distances;
  /// Searches that were made, of up to 64 sources each.
  std::uint64_t batches = 0;
  /// Of the searches alone.
  double seconds = 0;
};

/// Sums up the distances of each source. Collective over all cores; main fiber. The same on any number of cores and processes, to the last
/// bit. Takes 44 bytes of memory a vertex on each core, or on all together (distance_options::most_bytes), and 32 a source in process 0.
distances_result sum_distances(const graph_view& g, const distance_options& options = {},
                               const progress_hook& progress = {});

/// Of which vertices closeness is asked, and how it is scaled.
struct closeness_options {
  /// Of which vertices. Unset: all.
  std::optional<std::vector<vertex_id>> sources = {};
  /// Which distances: NetworkX takes those from others to a vertex.
  path_direction direction = path_direction::incoming;
  /// Multiplies closeness by the share of the other vertices that are reached [S. Wasserman, K. Faust, "Social Network Analysis", 1994].
  bool wf_improved = true;
  /// When searches pull.
  traversal_policy policy = {};
};

/// What was computed.
struct closeness_result {
  std::vector<double>
      closeness;  // by source: (reached - 1) / sum of distances, scaled; 0 where nothing is reached
  std::vector<double> harmonic;  // by source: the sum of 1/distance
  /// By source: what both were made of.
  std::vector<distance_summary> distances;
  /// Of the searches alone.
  double seconds = 0;
};

/// Computes closeness and harmonic centrality, as NetworkX's closeness_centrality and harmonic_centrality have them. Collective over all
/// cores; main fiber. Takes what sum_distances() takes.
closeness_result closeness(const graph_view& g, const closeness_options& options = {},
                           const progress_hook& progress = {});

/// What was computed.
struct eccentricity_result {
  std::vector<std::uint64_t> eccentricity;  // by source: the largest distance to a vertex that it reaches
  std::uint64_t largest = 0;  // of the sources: the diameter, where they are all vertices
  std::uint64_t smallest = 0;  // likewise: the radius
  bool reaches_all = true;  // every source reaches every vertex
  /// Of the searches alone.
  double seconds = 0;
};

/// Computes eccentricities, of vertices that are reached: NetworkX refuses a graph with others. Collective over all cores; main fiber.
/// Of all vertices of an undirected graph most are known without a search from them [F. W. Takes, W. A. Kosters, "Computing the
/// Eccentricity Distribution of Large Graphs", Algorithms 2013]; then it takes 32 bytes of memory a vertex, and up to 40 in process 0. Takes
/// what sum_distances() takes otherwise, and for what is left.
eccentricity_result eccentricities(const graph_view& g, const distance_options& options = {},
                                   const progress_hook& progress = {});

}  // namespace gossamer::graph
