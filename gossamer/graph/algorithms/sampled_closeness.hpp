#pragma once
// Estimates closeness and harmonic centrality of all vertices from searches of a sample of vertices [D.
// Eppstein, J. Wang, "Fast approximation of centrality", Journal of Graph Algorithms and Applications 2004],
// with an error bound.

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Options.
struct closeness_sample_options {
  std::uint64_t samples =
      64;  ///< vertices to search from, 2 or more (asserted); all if the graph has no more
  std::uint64_t seed = 1;  ///< of the sample
  traversal_policy policy = {};  ///< when searches pull
};

/// The distances from the sampled vertices to one vertex.
struct sampled_distances {
  std::uint64_t samples = 0;  ///< sampled vertices other than itself
  std::uint64_t reached = 0;  ///< those of them that reach it
  std::uint64_t sum = 0;  ///< of the distances
  double inverse_sum = 0;  ///< of 1/distance
  /// Returns whether all members are equal.
  friend bool operator==(const sampled_distances&, const sampled_distances&) = default;
};

/// The result.
struct sampled_closeness_result {
  /// By vertex: from the estimated share of vertices that reach it, and the estimated mean distance.
  std::vector<double> closeness;
  std::vector<double> harmonic;  ///< by vertex
  std::vector<sampled_distances> distances;  ///< by vertex: what both are computed from
  std::vector<vertex_id> samples;  ///< the sampled vertices
  /// Error bound of harmonic centrality: with probability 0.95 it holds for all vertices at once. 0 if all
  /// vertices were searched from.
  double harmonic_error = 0;
  /// The same for the mean distance from the other vertices, the inverse of closeness. Only for connected
  /// undirected graphs.
  std::optional<double> distance_error;
  double seconds = 0;  ///< of the searches alone
};

/// The probability that a bound of sampled closeness is wrong for at least one vertex.
inline constexpr double k_sampled_closeness_risk = 0.05;

/// Returns the error bound of a mean of values from 0 to 1 over `samples` of `all` values, drawn without
/// replacement. It holds for `means` such means at once with probability 1 - k_sampled_closeness_risk [R. J.
/// Serfling, "Probability inequalities for the sum in sampling without replacement", Annals of Statistics
/// 1974]. At most 1; 0 if all values are drawn.
double sampling_error(std::uint64_t samples, std::uint64_t all, std::uint64_t means);
/// Returns the smallest sample, 2 or more, for which sampling_error() of all vertices of such a graph is at
/// most `error`.
std::uint64_t samples_for_error(double error, std::uint64_t vertices);

/// Estimates closeness, scaled by the share of vertices that reach a vertex, and harmonic centrality, as
/// closeness() defines them. Collective over all cores; main fiber. Equal to the last bit for a seed on any
/// number of cores and processes. Takes 68 bytes of memory per vertex, and 32 in process 0; in a long thin
/// graph of one process 29 more on each core, at most 1 GiB in all.
sampled_closeness_result sampled_closeness(const graph_view& g, const closeness_sample_options& options,
                                           const progress_hook& progress = {});

}  // namespace gossamer::graph
