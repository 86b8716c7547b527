#pragma once
// Counts without bound, for verifiers: shortest paths grow as a power of the length of a graph.

#include <cmath>
#include <cstdint>

namespace gossamer::graph {

/// A count as a fraction and a power of two; rounded to the digits of long double.
class wide_count {
 public:
  wide_count() = default;
  explicit wide_count(long double n) { set(n, 0); }

  wide_count& operator+=(const wide_count& more) {
    if (more.fraction_ == 0) return *this;
    if (fraction_ == 0) return *this = more;
    if (exponent_ < more.exponent_) {
      const wide_count less = *this;
      *this = more;
      return *this += less;
    }
    if (exponent_ - more.exponent_ < k_digits)
      set(fraction_ + std::ldexp(more.fraction_, static_cast<int>(more.exponent_ - exponent_)), exponent_);
    return *this;
  }
  /// Returns this count divided by another one.
  double over(const wide_count& all) const {
    const std::int64_t exponent = exponent_ - all.exponent_;
    return exponent < -k_digits * 64
               ? 0
               : static_cast<double>(std::ldexp(fraction_ / all.fraction_, static_cast<int>(exponent)));
  }

 private:
  static constexpr std::int64_t k_digits = 64;  // of long double

  void set(long double fraction, std::int64_t exponent) {
    int more = 0;
    fraction_ = std::frexp(fraction, &more);
    exponent_ = exponent + more;
  }

  long double fraction_ = 0;  // 0, or from 1/2 to 1
  std::int64_t exponent_ = 0;
};

}  // namespace gossamer::graph
