#pragma once
// What the engine decides by: direction and form of a frontier, and how far cores go between two barriers. Fitted on two
// processors (docs/adr/0059-the-engine-decides-direction.md).

#include <cstdint>

namespace gossamer::graph {

/// The thresholds of edge_map() over levels, in one place. A traversal is made with them.
struct traversal_policy {
  /// Pulls where the frontier has more than 1/pull_over of the arcs that are not explored.
  std::uint64_t pull_over = 15;
  /// The same where arcs lead to other nodes: an arc that is shipped there costs more.
  std::uint64_t pull_over_nodes = 60;
  /// Pushes again where the frontier shrinks and has less than 1/push_below of the vertices.
  std::uint64_t push_below = 18;
  /// Pulls in chunks of so many blocks of k_vertex_alignment vertices, dealt out dynamically.
  std::uint64_t blocks_per_chunk = 8;
  /// Looks up the degrees of so many vertices of a frontier on each core, to estimate its arcs.
  std::uint64_t degrees_sampled = 512;
  /// Calls a level thin where it has at most so many vertices for each core.
  std::uint64_t thin_vertices = 1 << 14;
  /// Takes several hops at once after so many thin levels. 0: never.
  std::uint64_t thin_levels = 8;
  /// Takes at most so many hops at once, up to k_most_hops.
  std::uint64_t most_hops = 48;
  /// Searches from many sources at once pull where the frontier has more than 1/pull_words_over of what they would look at then: all
  /// vertices, and the arcs of those that not all sources have reached. Few rows are looked at in part only.
  std::uint64_t pull_words_over = 2;
  /// The same where arcs lead to other nodes.
  std::uint64_t pull_words_over_nodes = 8;

  /// Lets one core go on by a level of a search from many sources, where the frontier has at most so many arcs and all vertices lie in its
  /// process: to wake the others takes longer.
  std::uint64_t alone_arcs = 2048;

  /// Returns whether words are pulled, by the arcs of the frontier and of vertices that not all sources have reached. `nodes`: arcs lead to
  /// other nodes.
  bool pulls_words(std::uint64_t front_arcs, std::uint64_t open_arcs, std::uint64_t vertices,
                   bool nodes = false) const {
    return front_arcs > (open_arcs + vertices) / (nodes ? pull_words_over_nodes : pull_words_over);
  }
};

}  // namespace gossamer::graph
