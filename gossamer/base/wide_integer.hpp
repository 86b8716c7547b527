#pragma once
// Integers of 128 bits, and their quotients as doubles.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gossamer {

/// An integer of 128 bits.
__extension__ using wide_integer = __int128;
/// The same without a sign.
__extension__ using wide_unsigned = unsigned __int128;

/// Returns the double that is nearest to n / d, rounded once; of two the even one. d > 0.
inline double nearest_quotient(wide_integer n, std::uint64_t d) {
  constexpr std::uint64_t k_exact = std::uint64_t{1} << 53;
  const auto size = n < 0 ? -static_cast<wide_unsigned>(n) : static_cast<wide_unsigned>(n);
  if (size <= k_exact && d <= k_exact)
    return static_cast<double>(static_cast<std::int64_t>(n)) / static_cast<double>(d);
  const auto bits = [](wide_unsigned v) {
    const auto high = static_cast<std::uint64_t>(v >> 64);
    return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(v));
  };
  constexpr int k_digits = 57;  // of the quotient: more than a double has
  const int shift = std::max(0, k_digits + static_cast<int>(bits(d)) - static_cast<int>(bits(size)));
  wide_unsigned quotient = (size << shift) / d;
  if ((size << shift) % d != 0) quotient |= 1;  // behind the digits that a double has
  const double value = std::ldexp(static_cast<double>(quotient), -shift);
  return n < 0 ? -value : value;
}

}  // namespace gossamer
