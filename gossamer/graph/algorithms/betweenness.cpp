// Chooses how the cores share the work, and scales. The algorithm is in betweenness_levels.cpp.
#include "gossamer/graph/algorithms/betweenness.hpp"

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::graph {

namespace {

/// Returns whether each core takes a source. That needs no phases, but arrays of its own and one pass per edge and direction: better while
/// the graph stays in the caches. Over processes each gets a copy of all rows.
bool goes_per_core(const graph_view& g, std::size_t sources) {
  return whole_rows::is_small(g) && sources >= cores();
}

}  // namespace

betweenness_result betweenness(const graph_view& g, std::span<const vertex_id> sources,
                               const betweenness_options& options, const progress_hook& progress) {
  for (vertex_id s : sources) GOSSAMER_ASSERT(s < g.vertices);
  betweenness_result r;
  const std::uint64_t start = machine::now_ns();
  r.scores = goes_per_core(g, sources.size()) ? dependencies_per_core(g, sources, progress)
                                              : dependencies_by_levels(g, sources, progress);
  // Undirected: every pair was met from both of its ends.
  const double factor = g.directed ? options.scale : options.scale / 2;
  for (double& score : r.scores) score *= factor;
  r.seconds = machine::seconds_since(start);
  r.sources = sources.size();
  return r;
}

betweenness_result sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                       const progress_hook& progress) {
  const std::uint64_t all = count_sources(g);
  const bool exact = samples == 0 || samples >= all;
  const std::vector<vertex_id> sources = random_sources(g, exact ? all : samples, seed);
  const double scale = exact ? 1 : static_cast<double>(all) / static_cast<double>(samples);
  return betweenness(g, sources, {.scale = scale}, progress);
}

double normalisation(const graph_view& g) {
  if (g.vertices < 3) return 1;
  const auto n = static_cast<double>(g.vertices);
  return (g.directed ? 1 : 2) / ((n - 1) * (n - 2));
}

}  // namespace gossamer::graph
