#pragma once
// The layout of rows of results. A row is a number of 64-bit words. It begins with the number of records.
// Then each column of numbers has its count, sum, minimum and maximum, as far as the query needs them. Then
// there is a word for each `distinct`, and a double for each `quantile`.
//
//   integers  of 64 bits if none is wider, otherwise of 128. Their sum has an additional word if one word
//             does not suffice
//   reals     doubles; their sum is a double and its rounding error (Dekker, "A floating-point technique for
//             extending the available precision", 1971). Integers of up to 53 bits are reals if the column
//             has others, too
//   texts     the least and the largest have 4 words each: 31 bytes, padded with zeros, and the length. If a
//             column has longer ones, a further pass over the text finds them, and they are appended to the
//             keys (group_key.hpp)
//   both      if such a column has larger integers: each number is on one of the sides, and the result joins
//             them

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gossamer/files/text_input.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/tables/group_by.hpp"

namespace gossamer::tables {

/// The layout. Trivially copyable: captured by functions that run on all cores.
struct group_plan {
  static constexpr std::size_t k_most_keys = 8, k_most_inputs = 16, k_most_results = 24;
  // A count; of 24 results of 16 columns the 16 sums have 7 words each, 8 extremes 3 each.
  static constexpr std::size_t k_most_words = 1 + 16 * 7 + 8 * 3;
  static constexpr std::uint8_t k_none = 255, k_text_words = 4;
  static constexpr std::size_t k_most_text = k_text_words * sizeof(std::uint64_t) - 1;

  /// The facts learned about the numbers of a column. Without any, integers and sums have 64 bits.
  enum known : std::uint8_t {
    k_reals = 1,  // not all are integers of up to 128 bits
    k_large = 2,  // there are reals, and integers beyond 53 bits
    k_wide = 4,  // there are integers beyond 64 bits
    k_long_sums = 8,  // a sum of integers may exceed 64 bits
    k_long_texts = k_reals,  // for a column of texts: one has more than k_most_text bytes
  };
  static constexpr unsigned k_known_bits = 4;  // 16 columns fit a word

  /// Removes facts that others make irrelevant.
  static std::uint8_t settled(std::uint8_t known) {
    unsigned k = known;
    if ((k & k_reals) == 0) k &= ~unsigned{k_large};
    if ((k & k_wide) != 0 || (k & (k_reals | k_large)) == k_reals) k &= ~unsigned{k_long_sums};
    return static_cast<std::uint8_t>(k);
  }

  /// The words of one side of a column.
  struct numbers {
    std::uint8_t count = k_none, sum = k_none, minimum = k_none, maximum = k_none;
  };
  /// A column of numbers.
  struct input {
    std::uint8_t field = 0;  // index among the fields read
    std::uint8_t known = 0;
    bool sums = false, minima = false, maxima = false;  // whether they are needed
    bool is_texts = false;  // the first values are no numbers; false if sums are needed
    numbers integers = {}, reals = {}, texts = {};
    std::uint8_t least_appended = k_none, largest_appended = k_none;  // indices of appended texts

    bool has_long_texts() const { return is_texts && (known & k_long_texts) != 0; }
    bool has_reals() const { return !is_texts && (known & k_reals) != 0; }
    bool has_integers() const { return !is_texts && (!has_reals() || (known & (k_large | k_wide)) != 0); }
    bool is_wide() const { return (known & k_wide) != 0; }
    std::uint8_t integer_words() const { return is_wide() ? 2 : 1; }
    std::uint8_t sum_words() const { return is_wide() ? 3 : (known & k_long_sums) != 0 ? 2 : 1; }
  };
  struct result {
    aggregate what = aggregate::count;
    std::uint8_t input = 0;  // for numbers; for distinct: the field
    std::uint8_t word = 0;  // for distinct and quantile
  };

  std::uint8_t keys = 0, inputs = 0, results = 0, words = 1, fields = 0;
  std::uint8_t appended = 0;  // texts appended to each key after all passes
  std::array<std::uint32_t, k_most_keys + k_most_results> columns = {};  // columns that are read, ascending
  std::array<std::uint8_t, k_most_keys> key = {};  // fields
  std::array<input, k_most_inputs> of = {};
  std::array<result, k_most_results> result_of = {};

  /// Assigns a word to each value.
  void lay_out() {
    words = 1;
    const auto give = [this](bool asked, std::uint8_t n) {
      if (!asked) return k_none;
      const std::uint8_t word = words;
      words = static_cast<std::uint8_t>(words + n);
      return word;
    };
    for (std::uint8_t i = 0; i < inputs; ++i) {
      input& in = of[i];
      const auto side = [&](bool there, std::uint8_t sum_words, std::uint8_t number_words) -> numbers {
        if (!there) return {};
        const std::uint8_t count = give(true, 1), sum = give(in.sums, sum_words);
        const std::uint8_t minimum = give(in.minima && number_words != 0, number_words);
        return {count, sum, minimum, give(in.maxima && number_words != 0, number_words)};
      };
      in.integers = side(in.has_integers(), in.sum_words(), in.integer_words());
      in.reals = side(in.has_reals(), 2, 1);
      in.texts = side(in.is_texts, 0, in.has_long_texts() ? 0 : k_text_words);
    }
    for (std::uint8_t r = 0; r < results; ++r)
      if (result_of[r].what == aggregate::distinct || result_of[r].what == aggregate::quantile)
        result_of[r].word = words++;
  }
  /// Returns whether the first pass computes all results.
  bool is_one_pass() const {
    for (std::uint8_t r = 0; r < results; ++r)
      if (result_of[r].what == aggregate::distinct || result_of[r].what == aggregate::quantile) return false;
    for (std::uint8_t i = 0; i < inputs; ++i)
      if (of[i].has_long_texts()) return false;
    return true;
  }
};

/// Returns the head of the first file with rows: whole records, or all of it.
opened_text::beginning whole_head(const opened_text& text, bool quotes);

/// Infers the schema of the query's files from the head, which must outlive it.
io::schema schema_of(const group_query& q, std::string_view head, const std::string& path);

/// Makes the layout for a query. Reads on in the text if the head has no value of a column that may be numbers
/// or texts.
group_plan plan_groups(const group_query& q, const io::schema& found, const opened_text& text);

}  // namespace gossamer::tables
