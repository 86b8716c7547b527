#pragma once
// The rule for comparing lines: by the whole line or a field, as text or as a number. A key is compared in
// steps of eight bytes, each an unsigned number whose ascending order is the requested order. So one sort of
// numbers serves all keys. For a number the only step is the nearest double. It decides most comparisons:
// numbers with at most 15 digits, and integers that doubles represent, have distinct doubles. Others are
// compared exactly, as decimals.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "gossamer/io/delimited.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::sorting {

/// Returns the eight bytes of a text from `at` on as a number that compares like bytes; zeros after the end.
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

/// Reads a decimal number of any length. -0 is 0. The step of NaN is k_nan_step for either direction.
number_step read_number(std::string_view text);
inline constexpr std::uint64_t k_nan_step = ~std::uint64_t{0};

/// Compares two numbers exactly, as read by parse_decimal(). NaN, which it does not read, comes last.
int compare_numbers(const std::optional<io::decimal_text>& a, const std::optional<io::decimal_text>& b);

/// The comparison of lines. Trivially copyable.
struct line_rule {
  std::uint32_t field = 0;  // from 1; 0: the whole line
  io::delimited_format format{.separator = 0, .quotes = false, .blanks = true, .empty_lines = true};
  bool numeric = false, reverse = false, unique = false;
  bool skip_bad = false;  // lines with a problem are skipped instead of being an error

  /// Returns whether records may contain line ends.
  bool has_quotes() const { return format.quotes; }

  /// Inverts a step of a key if the order is descending.
  std::uint64_t ordered(std::uint64_t step) const { return reverse ? ~step : step; }
  /// Does the same for a number. NaN still comes last: the inverted step of no number is that of NaN, though
  /// the step of -inf is 0. No step of a number is near the largest, so none becomes negative.
  std::uint64_t ordered(const number_step& number) const {
    if (number.nearest == k_nan_step) return k_nan_step;
    return reverse ? ~number.nearest - 1 : number.nearest;
  }

  /// Returns the key of a record that was read before; `scratch` stores it if it has doubled quotes.
  std::string_view key_of(std::string_view record, std::string& scratch) const;

  /// Compares two keys with equal first steps: negative if a comes first.
  int compare(std::string_view a, std::string_view b) const;
};

}  // namespace gossamer::sorting
