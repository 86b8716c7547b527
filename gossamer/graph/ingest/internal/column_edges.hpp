#pragma once
// Makes edges from columns in memory.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/id_column.hpp"

namespace gossamer::graph {

/// Returns the largest id of a column, or 0 if it is empty. Throws gossamer::error for the first negative
/// one. Uses the cores of this process.
std::uint64_t highest_id(const id_column& column, std::string_view name);

/// Returns the edges of two columns of equal size, in one block. Edge must have large enough ids. Uses the
/// cores of this process.
template <class Edge>
std::vector<edge_block<Edge>> edges_of_columns(const id_column& from, const id_column& to);

/// Returns the weights of a column, for the single block of edges_of_columns(). Throws gossamer::error for
/// the first that is infinite or not a number. Uses the cores of this process.
edge_weights weights_of_column(const weight_column& column, std::string_view name);

}  // namespace gossamer::graph
