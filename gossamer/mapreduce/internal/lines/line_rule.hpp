#pragma once
// What lines are compared by: the whole line or a field, as text or as a number. A key is compared in steps of eight
// bytes, each an unsigned number whose ascending order is the order asked for. So one sort of numbers serves all
// keys. Of a number the first step is the nearest double, and the second how far the integer is from it.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "gossamer/io/delimited.hpp"

namespace gossamer::mapreduce {

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

/// A number as two steps of its key.
struct number_steps {
  std::uint64_t nearest = 0;  ///< code of the nearest double
  std::uint64_t rest = 0;  ///< code of what an integer is more than that
  bool is_number = false;
};

/// Reads a decimal number: an integer of 64 bits keeps its exact value, any other number is the nearest double. -0 is
/// 0. NaN is no number.
number_steps read_number(std::string_view text);

/// Returns whether numbers may share a nearest double without being equal: those from 2^53 on.
bool may_have_rest(std::uint64_t nearest);

/// How lines are compared. Trivially copyable.
struct line_rule {
  std::uint32_t field = 0;  // from 1; 0: the whole line
  io::delimited_format format{.separator = 0, .quotes = false, .blanks = true, .empty_lines = true};
  bool numeric = false, reverse = false, unique = false;
  bool skip_bad = false;  // lines with a problem are left out, and are no error

  /// Returns whether line ends may stand inside a record.
  bool has_quotes() const { return format.quotes; }

  /// Turns a step of a key round where the order is descending.
  std::uint64_t ordered(std::uint64_t step) const { return reverse ? ~step : step; }

  /// Returns the key of a record that was read before; `scratch` holds it where quotes in it are doubled.
  std::string_view key_of(std::string_view record, std::string& scratch) const;

  /// Compares two keys: below 0 where a comes first.
  int compare(std::string_view a, std::string_view b) const;

  /// Returns whether equal first steps mean equal keys. `step` is ordered().
  bool is_decided(std::uint64_t step) const { return numeric && !may_have_rest(ordered(step)); }
};

}  // namespace gossamer::mapreduce
