#include "gossamer/graph/algorithms/eigenvector.hpp"

#include <cmath>

#include "gossamer/graph/algorithms/internal/power_iteration.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

/// Returns the mean weight of an arc, and 1 without weights: with it as shift, scores do not depend on the unit
/// of weights.
double shift_of(const power_iteration& power, const graph_view& g, bool weighted) {
  if (!weighted || g.weights == weight_type::none || g.arcs == 0) return 1;
  const vertex_vector share = power.filled(1 / static_cast<double>(g.arcs));
  vertex_vector sums = power.filled(0);
  power.pull(g.in, share, sums, {});
  const double mean = power.sum(sums);
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

}  // namespace

eigenvector_result eigenvector_centrality(const graph_view& g, const eigenvector_options& options,
                                          const progress_hook& progress) {
  eigenvector_result r;
  r.converged = g.vertices == 0;
  if (r.converged) return r;
  const power_iteration power(g, options.weighted);
  const std::uint64_t start = machine::now_ns();
  const double shift = shift_of(power, g, options.weighted);
  vertex_vector now = power.filled(1 / static_cast<double>(g.vertices)), next = power.filled(0);
  while (r.iterations < options.limits.max_iterations && !r.converged) {
    power.pull(g.in, now, next, {.keep = shift});
    const int exponent = power.keep_in_range(next);
    const double length = power.length(next);
    r.change = power.checked(power.scale(next, 1 / length, now), "eigenvector");
    r.eigenvalue =
        std::ldexp(length, exponent) - shift;  // of a vector of length 1: from the second iteration on
    r.converged = r.change < options.limits.tolerance;
    std::swap(now, next);
    report(progress, "eigenvector", ++r.iterations, 0);
  }
  r.seconds = machine::seconds_since(start);
  r.scores = copy_of(now.values.handle());
  return r;
}

}  // namespace gossamer::graph
