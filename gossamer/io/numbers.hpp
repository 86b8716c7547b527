#pragma once
// Reads decimal numbers from the fields of delimited text, and writes them. The whole field is the number:
// spaces and tabs around it are skipped, and anything else after it is reported. Independent of the locale.
// Exact: the result is the double nearest to the text. Never allocates, never throws.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gossamer/base/wide_integer.hpp"

namespace gossamer::io {

enum class number_state : std::uint8_t {
  ok,
  none,  // the text does not begin with a number
  overflow,  // the number is outside of the type's range
  trailing  // text follows after a number
};

/// A number; its value is 0 unless the state is ok or trailing.
template <class Number>
struct parsed {
  Number value = 0;
  number_state state = number_state::none;

  friend bool operator==(const parsed&, const parsed&) = default;
};

/// Reads digits after an optional sign. In 1.5 or 1e3 it reads the 1; the rest is trailing text.
parsed<std::int64_t> parse_integer(std::string_view text);
/// Reads digits after an optional plus.
parsed<std::uint64_t> parse_unsigned(std::string_view text);
/// Reads the formats of std::from_chars (12, -1.25, .5, 3e-7, inf, nan), also after a plus. Numbers too small
/// for a double become 0. Costs about 10 ns for up to 19 digits without an exponent, such as 12.34.
parsed<double> parse_double(std::string_view text);

/// A decimal number of any length, in the formats of parse_double(), infinities included: 0.DIGITS times a
/// power of ten.
struct decimal_text {
  int sign = 0;  // -1, 0 or 1; 0 is zero
  std::int64_t exponent = 0;  // the largest value for an infinity
  std::string_view digits = {};  // from the first to the last that is not 0; may contain a decimal point
  std::uint64_t count = 0;  // number of digits

  /// Compares the values exactly: negative if this one is smaller.
  int compare(const decimal_text& other) const;
};
/// Reads a decimal number without rounding. Returns nothing if parse_double() reads none, for NaN, and for an
/// exponent of more than 18 digits. O(bytes).
std::optional<decimal_text> parse_decimal(std::string_view text);
/// Reads as parse_integer() does, up to 128 bits.
parsed<wide_integer> parse_wide(std::string_view text);

/// A number without loss if it is an integer of up to 128 bits; otherwise the nearest double.
struct exact_number {
  number_state state = number_state::none;  ///< the other members are valid only if it is ok
  bool is_integer = false;
  wide_integer integer = 0;
  double real = 0;  ///< if the number is no integer
};
/// Reads what parse_wide() and parse_double() read.
exact_number parse_exact(std::string_view text);
/// Compares an integer with a double that is not NaN: negative, 0 or positive.
int compare(wide_integer a, double b);
/// Compares numbers by their values; NaN comes last.
int compare(const exact_number& a, const exact_number& b);

/// Maximum number of bytes that write_number() writes.
inline constexpr std::size_t k_most_number_bytes = 32;
/// Writes the shortest decimal that reads back as the same double, and returns its end: 1.5, 42, -0.001,
/// 1e-07, inf, nan. Numbers with at most three decimals and 15 digits cost a third of the others.
char* write_number(char* to, double value);

}  // namespace gossamer::io
