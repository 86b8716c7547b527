#pragma once
// The policy of the engine: direction and form of a frontier, and how many levels cores advance between two
// barriers. Fitted on two processors (docs/adr/0059-the-engine-decides-direction.md).

#include <cstdint>

namespace gossamer::graph {

/// The thresholds of edge_map() over levels. A traversal is made with them.
struct traversal_policy {
  /// Pulls if the frontier has more than 1/pull_over of the unexplored arcs.
  std::uint64_t pull_over = 15;
  /// The same threshold if arcs lead to other nodes: sending along an arc costs more there.
  std::uint64_t pull_over_nodes = 60;
  /// Pushes again if the frontier shrinks and has less than 1/push_below of the vertices.
  std::uint64_t push_below = 18;
  /// Pulls in chunks of this many blocks of k_vertex_alignment vertices, assigned dynamically.
  std::uint64_t blocks_per_chunk = 8;
  /// Estimates the arcs of a frontier from the degrees of this many vertices on each core.
  std::uint64_t degrees_sampled = 512;
  /// A level with at most this many vertices per core is thin.
  std::uint64_t thin_vertices = 1 << 14;
  /// Takes several hops at once after this many consecutive thin levels. 0: never.
  std::uint64_t thin_levels = 8;
  /// Takes at most this many hops at once; at most k_most_hops.
  std::uint64_t most_hops = 48;
  /// A search from many sources pulls if the frontier has more than 1/pull_words_over of what a pull would
  /// read: all vertices, and the arcs of those that some source has not reached. Few rows are read only in
  /// part.
  std::uint64_t pull_words_over = 2;
  /// The same threshold if arcs lead to other nodes.
  std::uint64_t pull_words_over_nodes = 8;

  /// One core alone advances a search from many sources if the frontier has at most this many arcs and all
  /// vertices are in its process: waking the others would take longer.
  std::uint64_t alone_arcs = 2048;
  /// One core alone makes whole searches of a long thin graph (lone_search.hpp) if no level has more vertices than this.
  std::uint64_t alone_vertices = 1 << 12;

  /// Returns whether words are pulled, given the arcs of the frontier and those of vertices that some source
  /// has not reached. `nodes`: arcs lead to other nodes.
  bool pulls_words(std::uint64_t front_arcs, std::uint64_t open_arcs, std::uint64_t vertices,
                   bool nodes = false) const {
    return front_arcs > (open_arcs + vertices) / (nodes ? pull_words_over_nodes : pull_words_over);
  }
};

}  // namespace gossamer::graph
