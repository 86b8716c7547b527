#pragma once
// Rows from edges: sorted, without duplicates and self-loops, in both directions, on all cores.
//
// The edges are dealt to buckets of neighbouring vertices (one pass to count, one to move, through
// write-combining lines); a bucket fits a core's second-level cache and is sorted there by radix.
// The other direction is a transposition of sorted rows, which comes out sorted by itself. An
// undirected graph is built from each edge's lower end only: a row is its lower neighbours (the
// transposed part), then its upper ones. A weight travels beside the key of its edge. Per edge ~5 sequential passes over 4 to 8 bytes, and
// no random access beyond the cache. Bucketing as in Satish et al., "Fast sort on CPUs and GPUs",
// SIGMOD 2010; see also Polychroniou and Ross, SIGMOD 2014.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

struct build_input {
  std::vector<edge_block<edge>> blocks;
  edge_weights weights = {};  // of the blocks
  std::uint64_t vertices = 0;  // every id is below
  bool directed = false;
  bool only_present = false;  // keep the ids that appear (in an edge or self-loop), renumbered in order
};

/// Consumes the edges. `names` for all `vertices`; where ids are dropped (only_present) the names must
/// be a range, and become integers. Adds duplicates, self_loops and build_seconds to `statistics`, and sets their rule.
/// Throws gossamer::error before it begins if the memory is not there. Called by one fiber.
graph build(build_input input, labels names, graph_statistics statistics, const progress_hook& progress = {});

/// Returns the most bytes that build() has at once, those of the given edges included.
std::uint64_t build_peak_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed,
                               weight_type weights = weight_type::none);
/// Returns the bytes that build() keeps.
std::uint64_t graph_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed,
                          weight_type weights = weight_type::none);

}  // namespace gossamer::graph
