// Chooses how the cores share the searches, and computes scores from distances. The searches are in
// internal/distances_per_core.cpp and internal/distances_by_levels.cpp.
#include "gossamer/graph/algorithms/closeness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/internal/distance_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_few_vertices = 1 << 10;  // too few for bounds: as many searches are fast enough
constexpr std::uint64_t k_search_bytes = 44;  // of local_multi_search, per vertex

/// Returns whether each core searches alone. That needs no barriers and no messages, but arrays on each core
/// and all rows in each process.
bool searches_per_core(const graph_view& g, std::size_t sources, const distance_options& o) {
  return (memory::all_lies_here() || whole_rows::is_small(g)) && sources >= cores() &&
         g.vertices <= o.most_bytes / k_search_bytes / cores_per_process();
}

}  // namespace

distances_result sum_distances(const graph_view& g, const distance_options& options,
                               const progress_hook& progress) {
  std::vector<vertex_id> sources;
  if (options.sources) {
    sources = *options.sources;
    for (const vertex_id s : sources) GOSSAMER_ASSERT(s < g.vertices);
  } else {
    sources.resize(g.vertices);
    std::iota(sources.begin(), sources.end(), vertex_id{0});
  }
  if (sources.empty()) return {};
  const std::uint64_t start = machine::now_ns();
  const bool forward = options.direction == path_direction::outgoing;
  const distance_query query{g, forward ? g.out : g.in, forward ? g.in : g.out, options.policy};
  distances_result r = searches_per_core(g, sources.size(), options)
                           ? distances_per_core(query, sources, progress)
                           : distances_by_levels(query, sources, progress);
  r.seconds = machine::seconds_since(start);
  return r;
}

closeness_result closeness(const graph_view& g, const closeness_options& options,
                           const progress_hook& progress) {
  distances_result found = sum_distances(
      g, {.sources = options.sources, .direction = options.direction, .policy = options.policy}, progress);
  closeness_result r;
  for (const distance_summary& d : found.distances) {
    const auto others = static_cast<double>(d.reached - 1);
    double score = d.sum == 0 ? 0 : others / static_cast<double>(d.sum);
    if (options.wf_improved && d.sum != 0) score *= others / static_cast<double>(g.vertices - 1);
    r.closeness.push_back(score);
    r.harmonic.push_back(d.inverse_sum);
  }
  r.distances = std::move(found.distances);
  r.seconds = found.seconds;
  return r;
}

eccentricity_result eccentricities(const graph_view& g, const distance_options& options,
                                   const progress_hook& progress) {
  eccentricity_result r;
  const std::uint64_t start = machine::now_ns();
  if (!options.sources && !g.directed && g.vertices > k_few_vertices) {
    r.eccentricity = eccentricities_by_bounds(g, options, progress);
    r.seconds = machine::seconds_since(start);
    r.reaches_all = connected_components(g).components == 1;
  } else {
    const distances_result found = sum_distances(g, options, progress);
    for (const distance_summary& d : found.distances) {
      r.eccentricity.push_back(d.farthest);
      r.reaches_all &= d.reached == g.vertices;
    }
    r.seconds = found.seconds;
  }
  if (r.eccentricity.empty()) return r;
  r.largest = std::ranges::max(r.eccentricity);
  r.smallest = std::ranges::min(r.eccentricity);
  return r;
}

}  // namespace gossamer::graph
