#pragma once
// Sums that do not depend on the order of addition, of terms from 0 to 2^64: for sources that cores process
// in any order.

#include <cstdint>

namespace gossamer::graph {

/// A sum in multiples of 2^-60: each term loses less than that. All bytes zero is 0. A term that is not a
/// number, or too large, makes the sum NaN for good.
class exact_total {
 public:
  /// Adds a term.
  void add(double x) {
    if (x >= 0 && x < 0x1.0p64) [[likely]]
      units_ += static_cast<units>(x * k_one);
    else
      units_ |= k_none;
  }
  /// Adds another sum.
  void add(const exact_total& other) {
    units_ = ((units_ + other.units_) & ~k_none) | ((units_ | other.units_) & k_none);
  }
  /// Returns the sum, rounded once.
  double value() const {
    return (units_ & k_none) != 0 ? __builtin_nan("") : static_cast<double>(units_) / k_one;
  }

 private:
  __extension__ using units = unsigned __int128;
  static constexpr double k_one = 0x1.0p60;
  static constexpr units k_none = units{1} << 127;
  units units_ = 0;
};

}  // namespace gossamer::graph
