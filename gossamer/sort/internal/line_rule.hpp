#pragma once
// What lines are compared by: the whole line or a field, as text or as a number. A key is compared in steps of eight
// bytes, each an unsigned number whose ascending order is the order asked for. So one sort of numbers serves all
// keys. Of a number the only step is the nearest double. Most numbers are decided by it: they have at most 15 digits, or are integers that
// doubles hold, and no two of these share a double. Others are compared as decimals, exactly.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "gossamer/io/delimited.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::sorting {

/// Returns the eight bytes of a text from `at` on as a number whose order is that of bytes; zeros after the end.
inline std::uint64_t text_step(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  if (text.size() >= at + sizeof word)
    std::memcpy(&word, text.data() + at, sizeof word);
  else if (text.size() > at)
    std::memcpy(&word, text.data() + at, text.size() - at);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  return word;
}

/// The step of a number.
struct number_step {
  std::uint64_t nearest = 0;  ///< code of the nearest double
  bool is_number = false;
  bool is_decided = false;  ///< equal steps of two decided numbers mean equal numbers
};

/// Reads a decimal number of any length. -0 is 0. NaN has no place in the order: k_nan_step is its step in either direction.
number_step read_number(std::string_view text);
inline constexpr std::uint64_t k_nan_step = ~std::uint64_t{0};

/// Compares two numbers as parse_decimal() reads what is a number, exactly. NaN, which it does not read, comes last.
int compare_numbers(const std::optional<io::decimal_text>& a, const std::optional<io::decimal_text>& b);

/// How lines are compared. Trivially copyable.
struct line_rule {
  std::uint32_t field = 0;  // from 1; 0: the whole line
  io::delimited_format format{.separator = 0, .quotes = false, .blanks = true, .empty_lines = true};
  bool numeric = false, reverse = false, unique = false;
  bool skip_bad = false;  // lines with a problem are left out, and are no error

  /// Returns whether line ends may stand inside a record.
  bool has_quotes() const { return format.quotes; }

  /// Turns a step of a key round where the order is descending. NaN comes last all the same.
  std::uint64_t ordered(std::uint64_t step) const { return reverse ? ~step : step; }
  std::uint64_t ordered(const number_step& number) const {
    return number.nearest == k_nan_step ? k_nan_step : ordered(number.nearest);
  }

  /// Returns the key of a record that was read before; `scratch` holds it where quotes in it are doubled.
  std::string_view key_of(std::string_view record, std::string& scratch) const;

  /// Compares two keys of equal first steps: below 0 where a comes first.
  int compare(std::string_view a, std::string_view b) const;
};

}  // namespace gossamer::sorting
