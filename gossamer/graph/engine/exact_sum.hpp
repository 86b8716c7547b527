#pragma once
// Sums of reals that do not depend on the order of addition, so that a result is the same on any number of cores.

namespace gossamer::graph {

/// A sum of reals from 0 to 2^(124 - FractionBits), in multiples of 2^-FractionBits: each term loses less than
/// that. All bytes zero is 0. A term that is not a number, negative or too large makes the sum NaN for good.
template <int FractionBits>
class fixed_point_sum {
 public:
  /// Adds a term.
  void add(double x) {
    if (x >= 0 && x < k_end) [[likely]]
      units_ += static_cast<units>(x * k_one);
    else
      units_ |= k_none;
  }
  /// Adds another sum.
  void add(const fixed_point_sum& other) {
    units_ = ((units_ + other.units_) & ~k_none) | ((units_ | other.units_) & k_none);
  }
  /// Returns the sum, rounded once.
  double value() const {
    return (units_ & k_none) != 0 ? __builtin_nan("") : static_cast<double>(units_) / k_one;
  }

 private:
  __extension__ using units = unsigned __int128;
  static constexpr double k_one = static_cast<double>(units{1} << FractionBits);
  static constexpr double k_end = static_cast<double>(units{1} << (124 - FractionBits));
  static constexpr units k_none = units{1} << 127;
  units units_ = 0;
};

/// A sum of terms from 0 to 2. Terms below 2^-48 lose digits, each less than 2^-100.
using exact_sum = fixed_point_sum<100>;

/// A sum of terms from 0 to 2^64, for sources that cores process in any order.
using exact_total = fixed_point_sum<60>;

}  // namespace gossamer::graph
