#pragma once
// Betweenness centrality (Brandes 2001). For every source, a breadth-first search counts shortest paths; then
// dependencies are summed level by level, from the deepest back. Follows direction. Scores are NetworkX's
// with normalized=False: each ordered pair once on directed graphs, each unordered pair once on undirected
// ones; end points do not count. Weighted paths are compared by the sums of the weights of their arcs,
// without a tolerance: sums of integers are exact, those of reals are rounded. The score of an edge sums the
// shares of shortest paths that use it [U. Brandes, "On variants of shortest-path betweenness centrality",
// Social Networks 2008].

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How the algorithm runs.
struct betweenness_options {
  /// Multiplies every score; for K of the S = count_sources(g) vertices drawn at random, S/K makes the
  /// sampled scores unbiased estimates of the exact ones (Brandes and Pich 2007).
  double scale = 1;
  bool weighted = false;  ///< uses the weights of arcs, which must be above 0, if the graph has some
  bool edges = false;  ///< computes scores of edges, too
  /// Where sums over sources are saved (checkpoint.hpp). The sums are exact then: equal to the last bit on
  /// any number of cores. The checkpoint stays until the folder of the result is forgotten.
  checkpoint_options resume = {};
};

/// A score for each arc of a directed graph, or for each edge of an undirected one (`from` < `to`). Ascending
/// by both.
struct edge_scores {
  std::vector<vertex_id> from;  ///< start of each edge
  std::vector<vertex_id> to;  ///< end of each edge
  std::vector<double> scores;  ///< by edge
};

/// The result.
struct betweenness_result {
  /// By vertex.
  std::vector<double> scores;
  edge_scores edges;  ///< if requested
  /// The sources that were searched from.
  std::uint64_t sources = 0;
  std::uint64_t sources_before = 0;  ///< how many of the sources an earlier start has processed
  checkpoint_folder saved = {};  ///< locked until it is forgotten or gone
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes betweenness from the given sources. Collective over all cores; main fiber. On small graphs each
/// core searches from a source of its own (32 bytes per vertex and core). On large graphs all cores search
/// from one source at a time (about 30 bytes per vertex). Weighted and edge scores always use one source per
/// core, and each process copies all rows. The number of cores changes only the rounding.
betweenness_result betweenness(const graph_view& g, std::span<const vertex_id> sources,
                               const betweenness_options& options = {}, const progress_hook& progress = {});

/// Estimates betweenness from `samples` random sources, scaled to the exact scores. Computes it exactly
/// (every source, scale 1) when samples is 0 or no fewer than the vertices that have outgoing edges. Sets the
/// scale itself.
betweenness_result sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                       const betweenness_options& options = {},
                                       const progress_hook& progress = {});

/// Returns the factor that turns scores into shares of the pairs that a vertex could lie between, from 0 to
/// 1. It is that of NetworkX's normalized=True: 1 / ((n-1)(n-2)) on directed graphs, twice that on undirected
/// ones. Returns 1 below three vertices, where all scores are 0.
double normalisation(const graph_view& g);
/// Does the same for edges: 1 / (n(n-1)) on directed graphs, twice that on undirected ones; 1 below two
/// vertices.
double edge_normalisation(const graph_view& g);

}  // namespace gossamer::graph
