#pragma once
// Compacts ids scattered over 64 bits (account numbers, hashes) into dense ones, in ascending order. Each
// core numbers the ids of its edges in a hash table of its own; the tables are merged by ranges of ids.

#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

struct compacted_edges {
  std::vector<edge_block<edge>> edges;
  labels names;  // integers, ascending
};

/// Compacts the ids of both lists, which it consumes. Returns the narrow blocks and then the wide ones, edges
/// in the same order. Uses all cores. Takes ~20 ns per edge and core while the ids fit the cache.
compacted_edges compact_ids(std::vector<edge_block<edge>> narrow, std::vector<edge_block<wide_edge>> wide);

/// Returns whether a bitmap of the ids below `bound` is cheaper than hash tables for this number of edges.
inline bool is_dense(std::uint64_t bound, std::uint64_t edges) {
  return bound < k_no_vertex && (bound <= (std::uint64_t{1} << 22) || bound / 16 <= edges);
}

}  // namespace gossamer::graph
