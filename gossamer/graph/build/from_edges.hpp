#pragma once
// Builds graphs from edges in memory: two columns of ids, and optionally one of weights, as in NumPy, SciPy and data frames. load()
// (gossamer/graph/formats/load.hpp) reads files. All cores read the columns in place; they are not needed
// afterwards. With several processes they lie in process 0, whose cores read them and send each edge to the owners of its rows.

#include <cstdint>
#include <optional>

#include "gossamer/graph/ingest/id_column.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// The options of building a graph from edges.
struct from_edges_options {
  bool directed = true;  ///< whether an edge leads one way only
  /// The number of vertices, which are 0 to vertices - 1. Unset: one more than the largest id.
  std::optional<std::uint64_t> vertices = {};
  /// Numbers only the ids that occur, in ascending order, and keeps the ids as labels. For account numbers and hashes.
  bool compact = false;
  /// The weight of each edge, or none. Of parallel edges the least weight counts.
  weight_column weights = {};
};

/// Builds a graph from the edges from[i] - to[i]. Leaves duplicates and self-loops out, and counts them. Collective over all
/// cores; main fiber. Throws gossamer::error for columns of different lengths, for the first negative id, and for an id that
/// is no vertex. Throws it also for a weight that is not finite, and before it takes more memory than there is. Takes 8 bytes
/// per edge beside the memory of a build; with several processes up to 24 in process 0.
graph from_edges(const id_column& from, const id_column& to, const from_edges_options& options = {},
                 const progress_hook& progress = {});

/// Returns a graph with the edges and labels of `g`, each edge read both ways. The weights of opposite edges are combined by
/// `rule`, by default the one of parallel edges of `g`; the least for first and last, as the order of the input is not kept.
/// Collective over all cores; main fiber. Throws gossamer::error for sums beyond doubles. Takes as much memory as building the graph did.
graph undirected_copy(const graph& g, std::optional<duplicate_rule> rule = {},
                      const progress_hook& progress = {});

}  // namespace gossamer::graph
