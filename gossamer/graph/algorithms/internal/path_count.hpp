#pragma once
// Numbers of shortest paths beyond the range of a double: a grid of 1,000 x 1,000 has 2^1994 of them between
// two corners.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gossamer::graph {

/// Kernels that count in doubles give no answer beyond this: a sum that is not a number. Quotients of smaller
/// counts have no subnormal values, so they keep all their digits.
inline constexpr double k_most_paths = 0x1.0p900;

/// A number of paths: 0, or mantissa * 2^(512 * blocks) with a mantissa from 1 to 2^512. Up to 2^53 exact.
class path_count {
 public:
  constexpr path_count() = default;
  constexpr explicit path_count(double paths) : mantissa_(paths) {}

  /// Adds another number. A summand that is less than 2^-512 of the other one is lost.
  void add(const path_count& other) {
    if (other.blocks_ == blocks_) [[likely]] {
      mantissa_ += other.mantissa_;
    } else if (other.blocks_ > blocks_) {
      mantissa_ = other.mantissa_ + (other.blocks_ == blocks_ + 1 ? mantissa_ * k_down : 0);
      blocks_ = other.blocks_;
    } else if (other.blocks_ + 1 == blocks_) {
      mantissa_ += other.mantissa_ * k_down;
    }
    if (mantissa_ >= k_up) [[unlikely]] {
      mantissa_ *= k_down;
      ++blocks_;
    }
  }
  /// Returns this number divided by one that is not smaller. 0 if the quotient is far below the doubles.
  double share_of(const path_count& all) const {
    const double quotient = mantissa_ / all.mantissa_;
    if (blocks_ == all.blocks_) [[likely]]
      return quotient;
    return std::ldexp(quotient, 512 * std::max<std::int32_t>(blocks_ - all.blocks_, -4));
  }

 private:
  static constexpr double k_up = 0x1.0p512, k_down = 0x1.0p-512;
  double mantissa_ = 0;
  std::int32_t blocks_ = 0;
};

}  // namespace gossamer::graph
