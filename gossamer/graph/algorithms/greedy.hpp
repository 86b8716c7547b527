#pragma once
// Greedy algorithms that process the vertices of an undirected graph in a fixed order: a colouring, and a
// maximal independent set. The result equals that of the serial loop, on any number of cores and processes.

#include <cstdint>
#include <vector>

#include "gossamer/base/hash.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The position of a vertex in an order.
struct greedy_place {
  std::uint64_t key;  ///< smaller keys come first
  std::uint64_t vertex;  ///< decides between equal keys

  /// Returns whether this position is before the other.
  bool is_before(const greedy_place& other) const {
    return key != other.key ? key < other.key : vertex < other.vertex;
  }
};

/// Options of a colouring.
struct colouring_options {
  bool random = false;  ///< in random order; otherwise by descending degree
  std::uint64_t seed = 1;  ///< of the random order

  /// Returns the position of a vertex of that degree.
  greedy_place place(vertex_id v, std::uint64_t degree) const {
    return {random ? hash_words(seed, v) : ~degree, v};
  }
};

/// The result.
struct colouring_result {
  std::vector<vertex_id> colour;  ///< by vertex, from 0
  std::uint64_t colours = 0;  ///< number of colours
  std::uint64_t largest = 0;  ///< vertices of the most frequent colour
  double seconds = 0;  ///< of the algorithm alone
};

/// Colours the vertices: each gets the smallest colour that no earlier neighbour has. Collective over all
/// cores; main fiber. Throws gossamer::error for a directed graph. Takes 32 bytes of memory per vertex, and a
/// bit per edge.
colouring_result greedy_colouring(const graph_view& g, const colouring_options& options = {},
                                  const progress_hook& progress = {});

/// Options of an independent set.
struct independent_set_options {
  std::uint64_t seed = 1;  ///< of the order

  /// Returns the position of a vertex.
  greedy_place place(vertex_id v) const { return {hash_words(seed, v), v}; }
};

/// The result.
struct independent_set_result {
  std::vector<vertex_id> member;  ///< by vertex: 1 or 0
  std::uint64_t members = 0;  ///< their number
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds a maximal independent set: it contains a vertex if no earlier neighbour is in it. Collective over
/// all cores; main fiber. Throws gossamer::error for a directed graph. Takes 32 bytes of memory per vertex.
independent_set_result maximal_independent_set(const graph_view& g,
                                               const independent_set_options& options = {},
                                               const progress_hook& progress = {});

}  // namespace gossamer::graph
