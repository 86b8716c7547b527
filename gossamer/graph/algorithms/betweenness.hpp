#pragma once
// Betweenness centrality (Brandes 2001): for every source a breadth-first search that counts shortest
// paths, then dependencies summed level by level from the deepest back. Follows direction. Scores are
// NetworkX's with normalized=False: each ordered pair once on directed graphs, each unordered pair once
// on undirected ones; end points do not count. By weights, paths are compared by the sums of the weights of their arcs, exactly. Edges have
// scores likewise: the shares of pairs whose shortest paths go along them [U. Brandes, "On variants of shortest-path betweenness centrality",
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
  bool weighted = false;  ///< paths are the shortest by weights, which are above 0, where the graph has some
  bool edges = false;  ///< edges have scores, too
  /// Where sums over sources are kept, to go on from. They are exact then: the same to the last digit on any number of cores. They stay until
  /// forget_checkpoint().
  checkpoint_options resume = {};
};

/// A score for each edge: for each arc where the graph is directed, else with `from` below `to`. Ascending by both.
struct edge_scores {
  std::vector<vertex_id> from;  ///< where an edge leaves
  std::vector<vertex_id> to;  ///< where it enters
  std::vector<double> scores;  ///< of the edges
};

/// What it found.
struct betweenness_result {
  /// By vertex.
  std::vector<double> scores;
  edge_scores edges;  ///< where they were asked for
  /// From which paths were counted.
  std::uint64_t sources = 0;
  std::uint64_t sources_before = 0;  ///< of the sources: those of an earlier start
  /// Of the algorithm alone.
  double seconds = 0;
};

/// Computes betweenness from the given sources. Collective over all cores; main fiber. Runs one source per
/// core on small graphs (32 bytes per vertex and core). Runs all cores on one source on large graphs (about
/// 30 bytes per vertex). By weights and for edges it runs one source per core on graphs of any size, and over processes each copies all rows.
/// Orders sums of doubles so that the number of cores changes only rounding.
betweenness_result betweenness(const graph_view& g, std::span<const vertex_id> sources,
                               const betweenness_options& options = {}, const progress_hook& progress = {});

/// Estimates betweenness from `samples` random sources, scaled to the exact scores. Computes it exactly
/// (every source, scale 1) when samples is 0 or no fewer than the vertices that have outgoing edges. Sets the scale itself.
betweenness_result sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                       const betweenness_options& options = {},
                                       const progress_hook& progress = {});

/// Returns the factor that turns scores into shares of the pairs that a vertex could lie between, from 0 to
/// 1. It is that of NetworkX's normalized=True: 1 / ((n-1)(n-2)) on directed graphs, twice that on undirected
/// ones. Returns 1 below three vertices, where all scores are 0.
double normalisation(const graph_view& g);
/// Does the same for edges: 1 / (n(n-1)) on directed graphs, twice that on undirected ones; 1 below two vertices.
double edge_normalisation(const graph_view& g);

}  // namespace gossamer::graph
