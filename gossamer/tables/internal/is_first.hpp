#pragma once
// The order in which the least and the largest number of a group are found.

#include <cmath>
#include <concepts>

namespace gossamer::tables {

/// Returns whether a number comes before another one by Less, with NaN before all. -0.0 is less than 0.0, so
/// the result does not depend on the order in which numbers are met.
template <class Less, class T>
bool is_first(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (a == b) return Less{}(std::signbit(b), std::signbit(a));
    return Less{}(a, b) || a != a;
  } else {
    return Less{}(a, b);
  }
}

}  // namespace gossamer::tables
