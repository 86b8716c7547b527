#include "gossamer/graph/algorithms/hits.hpp"

#include "gossamer/graph/algorithms/internal/power_iteration.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

/// Returns the factor that scales a sum to 1; 1 if the sum is 0.
double to_one(double sum) { return sum > 0 ? 1 / sum : 1; }

}  // namespace

hits_result hubs_and_authorities(const graph_view& g, const hits_options& options,
                                 const progress_hook& progress) {
  hits_result r;
  r.converged = g.vertices == 0;
  if (r.converged) return r;
  const power_iteration power(g, options.weighted);
  vertex_vector hubs = power.filled(1 / static_cast<double>(g.vertices)), next = power.filled(0),
                authorities = power.filled(0);
  const std::uint64_t start = machine::now_ns();
  while (r.iterations < options.limits.max_iterations && !r.converged) {
    power.pull(g.in, hubs, authorities, {});
    (void)power.keep_in_range(authorities);
    power.pull(g.out, authorities, next, {});
    (void)power.keep_in_range(next);
    r.change = power.checked(power.scale(next, to_one(power.sum(next)), hubs), "hits");
    r.converged = r.change < options.limits.tolerance;
    std::swap(hubs, next);
    report(progress, "hits", ++r.iterations, 0);
  }
  power.scale(authorities, to_one(power.sum(authorities)));
  r.seconds = machine::seconds_since(start);
  r.hubs = copy_of(hubs.values.handle());
  r.authorities = copy_of(authorities.values.handle());
  return r;
}

}  // namespace gossamer::graph
