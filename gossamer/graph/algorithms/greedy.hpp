#pragma once
// Greedy choices of the vertices of an undirected graph, one after the other in an order that is fixed before: a colouring, and a maximal
// independent set. The answer is that of a serial loop, on any number of cores and processes.

#include <cstdint>
#include <vector>

#include "gossamer/base/hash.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The place of a vertex in an order.
struct greedy_place {
  std::uint64_t key;  ///< smaller ones come first
  std::uint64_t vertex;  ///< the same among equal keys

  /// Returns whether this place is before the other.
  bool is_before(const greedy_place& other) const {
    return key != other.key ? key < other.key : vertex < other.vertex;
  }
};

/// How vertices are coloured.
struct colouring_options {
  bool random = false;  ///< in a random order; otherwise the largest degrees come first
  std::uint64_t seed = 1;  ///< of the random order

  /// Returns the place of a vertex of that degree.
  greedy_place place(vertex_id v, std::uint64_t degree) const {
    return {random ? hash_words(seed, v) : ~degree, v};
  }
};

/// What was computed.
struct colouring_result {
  std::vector<vertex_id> colour;  ///< by vertex, from 0
  std::uint64_t colours = 0;  ///< different ones
  std::uint64_t largest = 0;  ///< vertices of the most frequent one
  double seconds = 0;  ///< of the algorithm alone
};

/// Colours the vertices: each takes the smallest colour that no neighbour before it has. Collective over all cores; main fiber. Throws
/// gossamer::error for a directed graph. Takes 32 bytes of memory per vertex, and a bit for each edge.
colouring_result greedy_colouring(const graph_view& g, const colouring_options& options = {},
                                  const progress_hook& progress = {});

/// Which independent set is found.
struct independent_set_options {
  std::uint64_t seed = 1;  ///< of the order

  /// Returns the place of a vertex.
  greedy_place place(vertex_id v) const { return {hash_words(seed, v), v}; }
};

/// What was computed.
struct independent_set_result {
  std::vector<vertex_id> member;  ///< by vertex: 1 or 0
  std::uint64_t members = 0;  ///< their number
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds a maximal independent set: a vertex belongs to it where no neighbour before it does. Collective over all cores; main fiber. Throws
/// gossamer::error for a directed graph. Takes 32 bytes of memory per vertex.
independent_set_result maximal_independent_set(const graph_view& g,
                                               const independent_set_options& options = {},
                                               const progress_hook& progress = {});

}  // namespace gossamer::graph
