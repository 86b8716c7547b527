#pragma once
// The values of a whole column of numbers side by side, whatever its chunks.

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "arrow_table.hpp"

namespace gossamer::python {

/// The values of a column as T: in place where they lie so, else copied. Moved, not copied. The table outlives it.
template <class T>
class values_as {
 public:
  /// Reads a column of integers, for T = double also of reals. Throws gossamer::error for integers of 2^63 and more.
  explicit values_as(const arrow_column& c) {
    if (c.chunks().size() == 1) {
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        if constexpr (std::is_same_v<V, T>)
          if (reinterpret_cast<std::uintptr_t>(values) % alignof(T) == 0) all_ = {values, n};
      });
      if (all_.size() == c.size()) return;
    }
    if constexpr (std::is_same_v<T, std::int64_t>) {
      copy_ = c.integers();
    } else {
      copy_.reserve(c.size());
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i)
          copy_.push_back(static_cast<T>(arrow_load<V>(values, static_cast<std::int64_t>(i))));
      });
    }
    all_ = copy_;
  }
  values_as(values_as&&) noexcept = default;
  values_as& operator=(values_as&&) noexcept = default;

  std::span<const T> all() const { return all_; }

 private:
  std::span<const T> all_;
  std::vector<T> copy_;
};

/// The least of some integers, and how far the largest is from it.
struct integer_range {
  std::int64_t least = 0;
  std::uint64_t last = 0;

  /// Returns the distance of a value from the least one.
  std::uint64_t distance(std::int64_t value) const {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
  }
  /// Returns the value at a distance.
  std::int64_t at(std::uint64_t distance) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + distance);
  }
};

/// Returns the range of some integers; of none it is that of 0.
inline integer_range range_of(std::span<const std::int64_t> values) {
  if (values.empty()) return {};
  std::int64_t least = values[0], largest = values[0];
  for (const std::int64_t v : values) {
    least = std::min(least, v);
    largest = std::max(largest, v);
  }
  return {least, static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least)};
}

}  // namespace gossamer::python
