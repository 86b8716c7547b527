// Closeness from a sample.
//
// Algorithm: searches from the sampled vertices along the arcs (internal/sampled_searches.hpp); each vertex
//   sums its distances from them. The sample has k of n - 1 other vertices, drawn uniformly, so the sum
//   over all is estimated as (n - 1) / k times that of the sample. The mean of values from 0 to 1 has
//   Serfling's error bound. 1/distance is such a value, and so is a distance divided by the largest
//   distance. The largest distance is at most twice the smallest eccentricity of a sampled vertex, if the
//   graph is undirected and connected.
// Encoding: sums are integers, those of 1/distance in units of a power of 2, so the result does not depend on
//   the order of the searches.
#include "gossamer/graph/algorithms/sampled_closeness.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/internal/sampled_searches.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {
namespace {

/// Returns `count` distinct vertices, drawn uniformly by R. W. Floyd's method, in the order of the draws.
std::vector<vertex_id> draw_vertices(std::uint64_t vertices, std::uint64_t count, std::uint64_t seed) {
  splitmix64 random(seed);
  std::vector<vertex_id> drawn;
  std::unordered_set<vertex_id> seen;
  for (std::uint64_t last = vertices - count; last < vertices; ++last) {
    const auto v = static_cast<vertex_id>(bounded(random, last + 1));
    drawn.push_back(seen.insert(v).second ? v : static_cast<vertex_id>(last));
    seen.insert(drawn.back());
  }
  return drawn;
}

/// Computes the scores from the distances of the sample.
void estimate(const graph_view& g, sampled_closeness_result& r) {
  const auto others = static_cast<double>(g.vertices - 1);
  for (const sampled_distances& d : r.distances) {
    const double scale = others / static_cast<double>(d.samples);
    const double reached = scale * static_cast<double>(d.reached);
    r.closeness.push_back(
        d.sum == 0 ? 0 : static_cast<double>(d.reached) / static_cast<double>(d.sum) * (reached / others));
    r.harmonic.push_back(scale * d.inverse_sum);
  }
}

}  // namespace

double sampling_error(std::uint64_t samples, std::uint64_t all, std::uint64_t means) {
  if (samples >= all) return 0;
  const auto k = static_cast<double>(samples), n = static_cast<double>(all);
  const double left = 1 - (k - 1) / n;  // share of the values that were not drawn before the last draw
  const double risk = k_sampled_closeness_risk / static_cast<double>(means);
  return std::min(1.0, std::sqrt(left * std::log(2 / risk) / (2 * k)));
}

std::uint64_t samples_for_error(double error, std::uint64_t vertices) {
  std::uint64_t low = 2, high = std::max<std::uint64_t>(vertices, 2);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (sampling_error(middle - 1, vertices - 1, vertices) <= error)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

sampled_closeness_result sampled_closeness(const graph_view& g, const closeness_sample_options& options,
                                           const progress_hook& progress) {
  GOSSAMER_ASSERT(options.samples >= 2, "sampled closeness: expected two samples or more");
  sampled_closeness_result r;
  if (g.vertices < 2) {
    r.closeness.resize(g.vertices);
    r.harmonic.resize(g.vertices);
    r.distances.resize(g.vertices);
    for (std::uint64_t v = 0; v < g.vertices; ++v) r.samples.push_back(static_cast<vertex_id>(v));
    return r;
  }
  const std::uint64_t begin = machine::now_ns();
  const std::uint64_t count = std::min(options.samples, g.vertices);
  r.samples = draw_vertices(g.vertices, count, options.seed);
  std::uint64_t least = 0;
  {
    const traversal go(g, options.policy);
    const scoped_array<distance_sums> sums = go.values<distance_sums>();
    least = search_from_samples(go, r.samples, sums.handle(), progress);
    const inverse_unit unit(count);
    for (const distance_sums& d : copy_of(sums.handle()))
      r.distances.push_back({count, d.reached, d.sum, unit.value(d.inverse_units)});
  }
  for (const vertex_id v : r.samples) --r.distances[v].samples;
  estimate(g, r);
  const double error = sampling_error(count - 1, g.vertices - 1, g.vertices);
  r.harmonic_error = error * static_cast<double>(g.vertices - 1);
  if (!g.directed &&
      std::ranges::all_of(r.distances, [](const sampled_distances& d) { return d.reached == d.samples; }))
    r.distance_error = error * 2 * static_cast<double>(least);
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
