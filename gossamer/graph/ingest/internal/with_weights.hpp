#pragma once
// The weights that cores have read by the piece, put beside the edges: as many types as there are in a text become one.

#include <cstdint>
#include <variant>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/weight_piece.hpp"

namespace gossamer::graph {

/// The weights of edges that follow each other in a block.
struct placed_weights {
  weight_piece weights;
  bool is_wide = false;  // the block is one of wide edges
  std::size_t block = 0;  // which
  std::uint64_t first = 0;  // edge of the block
};

/// A batch of the type that its weights have.
using any_batch = std::variant<edge_batch<>, edge_batch<std::int32_t>, edge_batch<std::uint32_t>,
                               edge_batch<float>, edge_batch<double>>;

/// Consumes edges and the weights of all of them. Without pieces edges have none. Integers stay so where all are, and fit one type of
/// 32 bits. Uses the cores of this process. Throws gossamer::error where the memory is not there.
any_batch with_weights(edge_batch<> edges, std::vector<placed_weights> pieces, weight_mode mode);

}  // namespace gossamer::graph
