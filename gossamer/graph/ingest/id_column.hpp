#pragma once
// Columns of integers, as NumPy, SciPy, Arrow and data frames have them.

#include <cstdint>

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

}  // namespace gossamer::graph
