#pragma once
// Quantiles of numbers, encoded in their order: integers of 64 bits, or doubles.

#include <cmath>
#include <cstdint>

#include "gossamer/base/wide_integer.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/sort/ordered_key.hpp"
#include "gossamer/tables/row_numbers.hpp"

namespace gossamer::tables {

/// The position of a quantile among n sorted numbers: at index `below`, plus a fraction of the distance to
/// the next.
struct quantile_place {
  std::uint64_t below;
  double part;

  quantile_place(double share, std::uint64_t n) {
    const double place = share * static_cast<double>(n - 1);
    below = static_cast<std::uint64_t>(place);
    part = place - static_cast<double>(below);
  }
};

/// Converts numbers into codes that compare like them, with NaN last, and codes into numbers.
struct number_codes {
  using integer = sorting::ordered_key<std::int64_t, false>;
  bool are_integers;

  std::uint64_t code_of(std::string_view field) const {
    return integer::encode(are_integers ? io::parse_integer(field).value
                                        : order_code(io::parse_double(field).value));
  }
  double real_of(std::uint64_t code) const {
    return are_integers ? static_cast<double>(integer::decode(code))
                        : real_of_order_code(integer::decode(code));
  }
  /// Interpolates between two numbers, and rounds once.
  double between(std::uint64_t code, std::uint64_t next_code, double part) const {
    if (are_integers) {
      const wide_integer a = integer::decode(code), b = integer::decode(next_code);
      if (part == 0.5) return nearest_quotient(a + b, 2);
      return static_cast<double>(static_cast<long double>(a) +
                                 static_cast<long double>(b - a) * static_cast<long double>(part));
    }
    const double a = real_of(code), b = real_of(next_code);
    if (a == b || (std::isinf(a) && std::isfinite(b)))
      return a;  // the distance may be infinite, or no number
    return static_cast<double>(static_cast<long double>(a) +
                               (static_cast<long double>(b) - static_cast<long double>(a)) *
                                   static_cast<long double>(part));
  }
};

}  // namespace gossamer::tables
