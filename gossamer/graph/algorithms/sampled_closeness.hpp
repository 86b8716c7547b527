#pragma once
// Closeness and harmonic centrality of all vertices from the distances of a sample [D. Eppstein, J. Wang, "Fast approximation of centrality",
// Journal of Graph Algorithms and Applications 2004], with a bound of the error.

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What is drawn.
struct closeness_sample_options {
  std::uint64_t samples = 64;  ///< vertices to search from, 2 or more (asserted); all where there are no more
  std::uint64_t seed = 1;  ///< of the choice
  traversal_policy policy = {};  ///< when searches pull
};

/// What the sampled vertices say of a vertex. Distances are from them to it.
struct sampled_distances {
  std::uint64_t samples = 0;  ///< other vertices than itself
  std::uint64_t reached = 0;  ///< those of them with a path to it
  std::uint64_t sum = 0;  ///< of the distances
  double inverse_sum = 0;  ///< of 1/distance
  /// Returns whether all members are equal.
  friend bool operator==(const sampled_distances&, const sampled_distances&) = default;
};

/// What was estimated.
struct sampled_closeness_result {
  std::vector<double>
      closeness;  ///< by vertex, of the estimated share of vertices that lead to it, and of their mean distance
  std::vector<double> harmonic;  ///< by vertex
  std::vector<sampled_distances> distances;  ///< by vertex: what both were made of
  std::vector<vertex_id> samples;  ///< that were drawn
  /// With a probability of 0.95 no harmonic centrality is farther than this from the exact one, of all vertices at once. 0 where all vertices
  /// were searched from.
  double harmonic_error = 0;
  /// The same of the mean distance from the other vertices, which closeness is 1 by. Of undirected graphs that are connected; others have none.
  std::optional<double> distance_error;
  double seconds = 0;  ///< of the searches alone
};

/// The probability that a bound of sampled closeness does not hold for one of the vertices.
inline constexpr double k_sampled_closeness_risk = 0.05;

/// Returns how far a mean of values from 0 to 1 over `samples` of `all` values, drawn without repetition, may be from that of all: for `means` of
/// them at once, but for a probability of k_sampled_closeness_risk [R. J. Serfling, "Probability inequalities for the sum in sampling without
/// replacement", Annals of Statistics 1974]. 1 at most; 0 where all are drawn.
double sampling_error(std::uint64_t samples, std::uint64_t all, std::uint64_t means);
/// Returns the fewest samples of a graph with so many vertices by which sampling_error() of all its vertices is `error` at most; 2 or more.
std::uint64_t samples_for_error(double error, std::uint64_t vertices);

/// Estimates closeness, scaled by the share of vertices that lead to a vertex, and harmonic centrality, as closeness() computes them. Collective
/// over all cores; main fiber. The same for a seed on any number of cores and processes, to the last bit. Takes 76 bytes of memory a vertex, and
/// 32 in process 0.
sampled_closeness_result sampled_closeness(const graph_view& g, const closeness_sample_options& options,
                                           const progress_hook& progress = {});

}  // namespace gossamer::graph
