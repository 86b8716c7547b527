#pragma once
// Sorts the lines of a bucket on one core. First sorts the first steps of all keys, by vector instructions.
// Then sorts lines with equal steps by further steps (multikey quicksort with cached keys; J. Bentley and R.
// Sedgewick, "Fast algorithms for sorting and searching strings", SODA 1997). Skips the common prefix of many
// equal keys at once, so long common prefixes cost one pass over them. Sorts a few equal lines by comparison.
// If a bucket has numbers that share the nearest double, it sorts them by sign and exponent, then by 19
// digits at a time.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/key_sort.hpp"

namespace gossamer::sorting {

/// The sorter of one core. `high` of an entry is the first step of its key, `low` the line. Reuses its
/// memory.
class line_sorter {
 public:
  line_sorter(const line_texts& texts, const line_rule& rule) : texts_(texts), rule_(rule) {}

  /// Sorts the entries, equal keys by position. `high` is overwritten. Returns how many remain: of equal keys
  /// only the first, if the rule is unique. `long_numbers`: there are numbers that their steps do not decide.
  std::size_t sort(std::span<wide_key> entries, bool long_numbers);

 private:
  struct range {
    std::size_t begin, end;
    std::size_t depth;  // number of equal bytes of the keys; for numbers: steps
  };
  struct keyed_line {
    std::string_view key;
    std::uint64_t line;
  };
  struct numbered_line {
    std::optional<io::decimal_text> number;  // none: NaN
    std::uint64_t line;
  };
  static constexpr std::size_t k_few = 256;  // sorted by comparison
  static constexpr std::size_t k_ahead = 16;
  static constexpr std::uint64_t k_dropped = ~std::uint64_t{0};

  void sort_runs(const range& sorted);
  void sort_ties(const range& ties);
  void sort_few(const range& ties);
  void sort_numbers(const range& ties);
  void compare_few_numbers(const range& ties);
  void drop_repeated(std::span<wide_key> sorted) const;
  std::size_t ended_first(const range& ties);
  std::size_t common_depth(const range& ties);
  std::string_view key(std::uint64_t line, std::string& scratch) const;
  void prefetch(std::size_t entry) const;

  const line_texts& texts_;
  const line_rule& rule_;
  std::span<wide_key> all_;
  std::vector<range> open_;  // ranges whose keys are equal up to their depth
  std::vector<keyed_line> few_;
  std::vector<numbered_line> numbers_;
  bool long_numbers_ = false;
  std::vector<std::string> scratches_;
  std::string scratch_, first_scratch_;
};

}  // namespace gossamer::sorting
