#pragma once
// The weights that cores have read by the chunk, put beside the edges: as many types as there are in a text become one.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/weight_chunk.hpp"

namespace gossamer::graph {

/// The weights of edges that follow each other in a block.
struct placed_weights {
  weight_chunk weights;
  bool is_wide = false;  // the block is one of wide edges
  std::size_t block = 0;  // which
  std::uint64_t first = 0;  // edge of the block
  std::uint64_t position = 0;  // in the input, by which chunks are ordered
};

/// What types the weights of chunks have.
struct weight_facts {
  bool has_any = false, has_reals = false, has_negative = false, has_large = false;

  /// Takes those of other chunks, too.
  weight_facts& operator+=(const weight_facts& more) {
    has_any |= more.has_any;
    has_reals |= more.has_reals;
    has_negative |= more.has_negative;
    has_large |= more.has_large;
    return *this;
  }
  /// Returns the one type that holds all: integers of 32 bits where all are some, else double.
  weight_type type() const {
    if (!has_any) return weight_type::none;
    if (has_reals || (has_negative && has_large)) return weight_type::float64;
    return has_large ? weight_type::uint32 : weight_type::int32;
  }
};

/// Returns what is in the chunks.
weight_facts facts_of(const std::vector<placed_weights>& chunks);

/// Puts the weights beside the edges. `type` holds all of them (weight_facts). Uses the cores of this process. Throws gossamer::error
/// where the memory is not there.
void add_weights(edge_batch& edges, std::vector<placed_weights> chunks, weight_type type);

/// Gives each edge the weight 1, an int32. Uses the cores of this process.
void weigh_one(edge_batch& edges);

/// Puts edges into the order of the input, a block for each chunk, of which there is one for all edges. All become wide where some are.
/// Uses the cores of this process. Throws gossamer::error where the memory is not there.
void order_edges(edge_batch& edges, std::vector<placed_weights>& chunks);

/// Returns the type in which weights that have this one are combined: sums are real numbers.
inline weight_type combined_type(weight_type type, duplicate_rule rule) {
  return rule == duplicate_rule::sum && type != weight_type::none ? weight_type::float64 : type;
}

}  // namespace gossamer::graph
