#pragma once
// Attaches the weights that cores have read in chunks to the edges, and converts them to one type.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/weight_chunk.hpp"

namespace gossamer::graph {

/// The weights of edges that follow each other in a block.
struct placed_weights {
  weight_chunk weights;
  bool is_wide = false;  // it is a block of wide edges
  std::size_t block = 0;  // its index
  std::uint64_t first = 0;  // index of its first edge in the block
  std::uint64_t position = 0;  // in the input; determines the order of chunks
};

/// The types of the weights in chunks.
struct weight_facts {
  bool has_any = false, has_reals = false, has_negative = false, has_large = false;

  /// Merges the types in other chunks.
  weight_facts& operator+=(const weight_facts& more) {
    has_any |= more.has_any;
    has_reals |= more.has_reals;
    has_negative |= more.has_negative;
    has_large |= more.has_large;
    return *this;
  }
  /// Returns the one type that can represent all: 32-bit integers if there is one, otherwise double.
  weight_type type() const {
    if (!has_any) return weight_type::none;
    if (has_reals || (has_negative && has_large)) return weight_type::float64;
    return has_large ? weight_type::uint32 : weight_type::int32;
  }
};

/// Returns the types in the chunks.
weight_facts facts_of(const std::vector<placed_weights>& chunks);

/// Attaches the weights to the edges. `type` can represent all of them (weight_facts). Uses the cores of this
/// process. Throws gossamer::error if memory does not suffice.
void add_weights(edge_batch& edges, std::vector<placed_weights> chunks, weight_type type);

/// Sets the weight of each edge to 1, an int32. Uses the cores of this process.
void weigh_one(edge_batch& edges);

/// Sorts edges into the order of the input, one block per chunk; all edges must belong to chunks. All become
/// wide if some are. Uses the cores of this process. Throws gossamer::error if memory does not suffice.
void order_edges(edge_batch& edges, std::vector<placed_weights>& chunks);

/// Returns the type in which weights of a type are combined: sums are real numbers.
inline weight_type combined_type(weight_type type, duplicate_rule rule) {
  return rule == duplicate_rule::sum && type != weight_type::none ? weight_type::float64 : type;
}

}  // namespace gossamer::graph
