// Chooses how the cores share the work, and scales. The algorithm is in betweenness_levels.cpp.
#include "gossamer/graph/algorithms/betweenness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/checkpoint/checkpoint.hpp"
#include "gossamer/graph/algorithms/internal/betweenness_methods.hpp"
#include "gossamer/graph/algorithms/internal/whole_rows.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/engine/fingerprint.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::graph {

namespace {

/// Returns whether each core searches from a source of its own. That needs no phases, but arrays on each
/// core, a copy of all rows in each process, and a pass over all edges in each direction. It is faster while
/// the graph fits the caches.
bool goes_per_core(const graph_view& g, std::size_t sources) {
  return whole_rows::is_small(g) && sources >= cores();
}

/// Opens the checkpoint of this job; empty if none is requested.
checkpoint open_sources(const graph_view& g, std::span<const vertex_id> sources,
                        const betweenness_options& o) {
  if (o.resume.folder.empty()) return {};
  return {o.resume, fmt::format("betweenness, {} sources {:016x}, weighted {}, edges {}\n{}", sources.size(),
                                io::checksum(std::as_bytes(sources)), o.weighted, o.edges, fingerprint(g))};
}

/// Removes the sums of arcs, which follow those of vertices, and returns them by edge. Adds up the two arcs
/// of an undirected edge.
edge_scores edges_of(const graph_view& g, std::vector<double>& sums) {
  const double* const of_arc = sums.data() + g.vertices;
  edge_scores all;
  remote_row_cache out(g, g.out);
  // Rows are ascending: the arcs that enter a vertex come in the order of its own row.
  std::vector<std::uint64_t> back(out.offsets(), out.offsets() + g.vertices);
  for (std::uint64_t i = 0, arc = 0; i < g.vertices; ++i)
    for (const vertex_id to : out[static_cast<vertex_id>(i)]) {
      const auto from = static_cast<vertex_id>(i);
      const double sum = of_arc[arc++] + (g.directed ? 0 : of_arc[back[to]++]);
      if (!g.directed && from > to) continue;
      all.from.push_back(from);
      all.to.push_back(to);
      all.scores.push_back(sum);
    }
  sums.resize(g.vertices);
  return all;
}

std::vector<double> dependencies(const graph_view& g, std::span<const vertex_id> sources,
                                 const betweenness_options& options, kept_sources& kept,
                                 const progress_hook& progress) {
  if (options.edges || (options.weighted && g.weights != weight_type::none))
    return dependencies_by_lengths(g, sources, options.weighted, options.edges, kept, progress);
  // With a checkpoint, the method does not depend on the number of cores: a later start may have others.
  const bool per_core = kept.work ? whole_rows::is_small(g) : goes_per_core(g, sources.size());
  std::vector<double> sums = per_core ? dependencies_per_core(g, sources, kept, progress)
                                      : dependencies_by_levels(g, sources, kept, progress);
  const bool counted = std::ranges::none_of(sums, [](double sum) { return std::isnan(sum); });
  if (counted) return sums;
  if (kept.work)
    throw error("betweenness: a vertex has more than 2^900 shortest paths: work on such graphs is not kept");
  return dependencies_by_lengths(g, sources, false, false, kept, progress);
}

}  // namespace

betweenness_result betweenness(const graph_view& g, std::span<const vertex_id> sources,
                               const betweenness_options& options, const progress_hook& progress) {
  for (vertex_id s : sources) GOSSAMER_ASSERT(s < g.vertices);
  betweenness_result r;
  const std::uint64_t start = machine::now_ns();
  kept_sources kept{open_sources(g, sources, options)};
  r.saved = kept.work.folder();
  r.scores = dependencies(g, sources, options, kept, progress);
  r.sources_before = kept.before;
  if (options.edges) r.edges = edges_of(g, r.scores);
  // Undirected: each pair was counted from both of its ends.
  const double factor = g.directed ? options.scale : options.scale / 2;
  for (double& score : r.scores) score *= factor;
  for (double& score : r.edges.scores) score *= factor;
  r.seconds = machine::seconds_since(start);
  r.sources = sources.size();
  return r;
}

betweenness_result sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                       const betweenness_options& options, const progress_hook& progress) {
  const std::uint64_t all = count_sources(g);
  const bool exact = samples == 0 || samples >= all;
  const std::vector<vertex_id> sources = random_sources(g, exact ? all : samples, seed);
  const double scale = exact ? 1 : static_cast<double>(all) / static_cast<double>(samples);
  betweenness_options scaled = options;
  scaled.scale = scale;
  return betweenness(g, sources, scaled, progress);
}

double normalisation(const graph_view& g) {
  if (g.vertices < 3) return 1;
  const auto n = static_cast<double>(g.vertices);
  return (g.directed ? 1 : 2) / ((n - 1) * (n - 2));
}

double edge_normalisation(const graph_view& g) {
  if (g.vertices < 2) return 1;
  const auto n = static_cast<double>(g.vertices);
  return (g.directed ? 1 : 2) / (n * (n - 1));
}

}  // namespace gossamer::graph
