#pragma once
// Columns of ids and weights in the layout of NumPy, SciPy, Arrow and data frames.

#include <cstdint>

#include "gossamer/graph/store/weights.hpp"

namespace gossamer::graph {

/// One end of every edge: integers with a constant stride in memory. Does not own them.
struct id_column {
  /// The type of the integers.
  enum class type : std::uint8_t { int32, uint32, int64, uint64 };

  const void* data = nullptr;  ///< the first one, aligned
  std::uint64_t size = 0;  ///< their number
  std::int64_t stride = 1;  ///< from one to the next, in integers; may be negative
  type kind = type::int64;  ///< their type
};

/// The weight of every edge: numbers with a constant stride in memory. Does not own them.
struct weight_column {
  const void* data = nullptr;  ///< the first one, aligned
  std::uint64_t size = 0;  ///< their number
  std::int64_t stride = 1;  ///< from one to the next, in numbers; may be negative
  weight_type kind = weight_type::none;  ///< their type; none: the edges have no weights
};

}  // namespace gossamer::graph
