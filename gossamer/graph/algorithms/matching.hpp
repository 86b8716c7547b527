#pragma once
// A maximal matching: edges without a common end, to which no edge can be added. Greedy: takes the edges in
// random order, and adds each edge whose ends are both free. The result equals that of the serial loop, on
// any number of cores and processes.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/base/hash.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The position of an edge in an order.
struct edge_place {
  std::uint64_t key;  ///< of the edge; smaller keys come first
  vertex_id low;  ///< the smaller end
  vertex_id high;  ///< the larger end
  friend auto operator<=>(const edge_place&, const edge_place&) = default;
};

/// Options.
struct matching_options {
  std::uint64_t seed = 1;  ///< of the order

  /// Returns the position of the edge between two vertices.
  edge_place place(vertex_id a, vertex_id b) const {
    const auto [low, high] = std::minmax(a, b);
    return {hash_words(hash_words(seed, low), high), low, high};
  }
};

/// The result.
struct matching_result {
  std::vector<vertex_id> mate;  ///< by vertex: the other end of its edge; k_no_vertex if it has none
  std::uint64_t edges = 0;  ///< of the matching
  std::uint64_t rounds = 0;  ///< until no edge was left
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds a maximal matching. Collective over all cores; main fiber. Throws gossamer::error for a directed
/// graph. Takes 12 bytes of memory per vertex.
matching_result maximal_matching(const graph_view& g, const matching_options& options = {},
                                 const progress_hook& progress = {});

}  // namespace gossamer::graph
