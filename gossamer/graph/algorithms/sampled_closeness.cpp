// Closeness from a sample.
//
// Algorithm: searches from the sampled vertices, 64 at once (multi_search.hpp), along the arcs; each vertex
//   sums its distances from them. The sample has k of n - 1 other vertices, drawn uniformly, so the sum
//   over all is estimated as (n - 1) / k times that of the sample. The mean of values from 0 to 1 has
//   Serfling's error bound. 1/distance is such a value, and so is a distance divided by the largest
//   distance. The largest distance is at most twice the smallest eccentricity of a sampled vertex, if the
//   graph is undirected and connected.
// Encoding: integers, and a sum of 1/distance in the order of batches and levels, so the result does not
//   depend on cores and processes.
#include "gossamer/graph/algorithms/sampled_closeness.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/multi_search.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {
namespace {

/// Returns distinct vertices, drawn evenly: by R. W. Floyd's method of as many draws, in their order.
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

/// Adds up the distances of a vertex, at its owner.
struct add_distances {
  array<sampled_distances> sums;

  void reached(vertex_id v, source_word sources, std::uint64_t level) const {
    if (level == 0) return;
    sampled_distances& mine = sums.local()[v - sums.local_begin()];
    const auto count = static_cast<std::uint64_t>(std::popcount(sources));
    mine.reached += count;
    mine.sum += count * level;
    mine.inverse_sum += static_cast<double>(count) / static_cast<double>(level);
  }
  void end_level(std::uint64_t) const {}
};

/// Searches from up to 64 vertices. Returns the least of their eccentricities.
template <class Search>
std::uint64_t search_from(Search& search, std::span<const vertex_id> sources, const add_distances& visitor) {
  std::vector<search_source> batch;
  for (std::size_t i = 0; i < sources.size(); ++i) batch.push_back({sources[i], source_word{1} << i});
  std::vector<std::uint64_t> farthest(sources.size());
  search.start(batch, visitor);
  while (search.size() != 0) {
    search.go_on(visitor);
    for (source_word left = search.size() != 0 ? search.sources() : 0; left != 0; left &= left - 1)
      farthest[static_cast<std::size_t>(std::countr_zero(left))] = search.level();
  }
  return std::ranges::min(farthest);
}

/// Makes scores of what the sample says.
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
  const double left = 1 - (k - 1) / n;  // of the values
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
  std::uint64_t least = ~std::uint64_t{0};
  {
    const traversal go(g, options.policy);
    const scoped_array<sampled_distances> sums = go.values<sampled_distances>();
    multi_search search(go, directed_adjacency{g.out}, directed_adjacency{g.in});
    for (std::size_t at = 0; at < r.samples.size(); at += k_word_sources) {
      report(progress, "distances", at, r.samples.size());
      const auto some =
          std::span<const vertex_id>(r.samples).subspan(at, std::min(k_word_sources, r.samples.size() - at));
      least = std::min(least, search_from(search, some, add_distances{sums.handle()}));
    }
    r.distances = copy_of(sums.handle());
  }
  for (sampled_distances& d : r.distances) d.samples = count;
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
