#pragma once
// Sums of reals that do not depend on the order of addition, so that a result is the same on any number of cores.

namespace gossamer::graph {

/// A sum of reals from 0 to 2, in multiples of 2^-100. Terms below 2^-48 lose digits, each less than 2^-100. A
/// term that is not a number, or too large, makes the sum NaN for good.
class exact_sum {
 public:
  /// Adds a term.
  void add(double x) {
    if (x >= 0 && x < 0x1.0p26) [[likely]]
      units_ += static_cast<units>(x * k_one);
    else
      units_ |= k_none;
  }
  /// Adds another sum.
  void add(const exact_sum& other) {
    units_ = ((units_ + other.units_) & ~k_none) | ((units_ | other.units_) & k_none);
  }
  /// Returns the sum, rounded once.
  double value() const {
    return (units_ & k_none) != 0 ? __builtin_nan("") : static_cast<double>(units_) / k_one;
  }

 private:
  __extension__ using units = unsigned __int128;
  static constexpr double k_one = 0x1.0p100;
  static constexpr units k_none = units{1} << 127;
  units units_ = 0;
};

}  // namespace gossamer::graph
