#pragma once
// Graphs from edges that lie in memory already: two columns of ids, perhaps one of weights, as NumPy, SciPy and data frames have them. Files are
// read by load() (gossamer/graph/formats/load.hpp). The columns are read where they lie, by all cores, and are not needed
// afterwards. Over several processes they lie in process 0, whose cores read them and send each edge to the owners of its rows.

#include <cstdint>
#include <optional>

#include "gossamer/graph/ingest/id_column.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// How edges become a graph.
struct from_edges_options {
  bool directed = true;  ///< whether an edge leads one way only
  /// How many vertices there are: 0 to vertices - 1. Unset: one more than the largest id.
  std::optional<std::uint64_t> vertices = {};
  /// Numbers only the ids that occur, in ascending order, and keeps the ids as labels: for account numbers and hashes.
  bool compact = false;
  /// The weight of each edge, or none. Of edges between the same vertices the least counts.
  weight_column weights = {};
};

/// Builds a graph from the edges from[i] - to[i]. Duplicates and self-loops are left out and counted. Collective over all
/// cores; main fiber. Throws gossamer::error for columns of different lengths, for the first negative id, and for an id that
/// is no vertex. Throws it for a weight that is infinite or not a number, and before the memory is taken that is not there. Takes 8 bytes
/// per edge beside what a build takes; over several processes up to 24 in process 0.
graph from_edges(const id_column& from, const id_column& to, const from_edges_options& options = {},
                 const progress_hook& progress = {});

/// Returns a graph with the edges and labels of `g`, each edge read both ways. Collective over all cores; main fiber. Takes as
/// much memory as building the graph did.
graph undirected_copy(const graph& g, const progress_hook& progress = {});

}  // namespace gossamer::graph
