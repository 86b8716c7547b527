#include "gossamer/graph/algorithms/katz.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/graph/algorithms/internal/power_iteration.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

constexpr double k_most_score = 1e150;  // times beta; of scores that converge

}  // namespace

katz_result katz_centrality(const graph_view& g, const katz_options& options, const progress_hook& progress) {
  const double diverged = k_most_score * std::max(1.0, std::abs(options.beta));
  katz_result r;
  r.converged = g.vertices == 0;
  if (r.converged) return r;
  const power_iteration power(g, options.weighted);
  vertex_vector now = power.filled(0), next = power.filled(0);
  const std::uint64_t start = machine::now_ns();
  while (r.iterations < options.limits.max_iterations && !r.converged && !r.diverged) {
    power.pull(g.in, now, next, {.times = options.alpha, .plus = options.beta});
    r.diverged = !(next.largest < diverged);
    if (!r.diverged) r.change = power.scale(next, 1, now);
    r.converged = !r.diverged && r.change < options.limits.tolerance;
    std::swap(now, next);
    report(progress, "katz", ++r.iterations, 0);
  }
  if (!options.raw && !r.diverged) {
    (void)power.keep_in_range(now);
    if (const double length = power.length(now); length > 0) power.scale(now, 1 / length);
  }
  r.seconds = machine::seconds_since(start);
  r.scores = copy_of(now.values.handle());
  return r;
}

}  // namespace gossamer::graph
