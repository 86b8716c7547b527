#pragma once
// Columns of ids and weights, as NumPy, SciPy, Arrow and data frames have them.

#include <cstdint>

#include "gossamer/graph/store/weights.hpp"

namespace gossamer::graph {

/// One end of every edge: integers at equal distances in memory. Refers to them, owns nothing.
struct id_column {
  /// What the integers are.
  enum class type : std::uint8_t { int32, uint32, int64, uint64 };

  const void* data = nullptr;  ///< the first of them, aligned
  std::uint64_t size = 0;  ///< how many there are
  std::int64_t stride = 1;  ///< from one to the next, in integers; may be negative
  type kind = type::int64;  ///< what they are
};

/// The weight of every edge: numbers at equal distances in memory. Refers to them, owns nothing.
struct weight_column {
  const void* data = nullptr;  ///< the first of them, aligned
  std::uint64_t size = 0;  ///< how many there are
  std::int64_t stride = 1;  ///< from one to the next, in numbers; may be negative
  weight_type kind = weight_type::none;  ///< what they are; none: edges have no weights
};

}  // namespace gossamer::graph
