#pragma once
// How rows of results are laid out and combined. A row is a number of 64-bit words: first how many records, then for
// each column of numbers how many fields were not empty, their sum, minimum and maximum as far as they are asked for;
// then a word for each `distinct`. Sums of integers are one word. Others are two: a double and what was rounded off
// (Dekker, "A floating-point technique for extending the available precision", 1971).

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gossamer/mapreduce/group_by.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// Trivially copyable: captured by what runs on all cores.
struct group_plan {
  static constexpr std::size_t k_most_keys = 8, k_most_inputs = 16, k_most_results = 24, k_most_words = 32;
  static constexpr std::uint8_t k_none = 255;

  /// A column of numbers.
  struct input {
    std::uint8_t field = 0;  // of the fields that are read
    bool real = false;
    std::uint8_t count = 0, sum = k_none, minimum = k_none, maximum = k_none;  // words
  };
  struct result {
    aggregate what = aggregate::count;
    std::uint8_t input = 0;  // of numbers; of distinct: the field
    std::uint8_t word = 0;  // of distinct
  };

  std::uint8_t keys = 0, inputs = 0, results = 0, words = 1, fields = 0;
  std::array<std::uint32_t, k_most_keys + k_most_results> columns = {};  // that are read, ascending
  std::array<std::uint8_t, k_most_keys> key = {};  // fields
  std::array<input, k_most_inputs> of = {};
  std::array<result, k_most_results> result_of = {};

  /// Gives each value its word.
  void lay_out() {
    words = 1;
    for (std::uint8_t i = 0; i < inputs; ++i) {
      input& in = of[i];
      in.count = words++;
      const auto give = [&](std::uint8_t& word, std::uint8_t n) {
        if (word == k_none) return;
        word = words;
        words = static_cast<std::uint8_t>(words + n);
      };
      give(in.sum, in.real ? 2 : 1);
      give(in.minimum, 1);
      give(in.maximum, 1);
    }
    for (std::uint8_t r = 0; r < results; ++r)
      if (result_of[r].what == aggregate::distinct) result_of[r].word = words++;
  }
};

struct group_state;

/// Combines rows word by word. Trivially copyable.
struct row_combiner {
  enum class step : std::uint8_t {
    add,
    add_integer,
    add_real,  // with the word behind it
    low_part,
    least_integer,
    most_integer,
    least_real,
    most_real
  };
  std::uint8_t words = 0;
  std::array<step, group_plan::k_most_words> steps = {};
  std::array<std::uint32_t, group_plan::k_most_words> columns = {};  // of sums of integers, for errors

  row_combiner() = default;
  /// Takes the layout, and the state that has the names of the columns.
  explicit row_combiner(const group_plan& p, per_process<group_state> state = {})
      : words(p.words), state_(state) {
    for (std::uint8_t i = 0; i < p.inputs; ++i) {
      const group_plan::input& in = p.of[i];
      if (in.sum != group_plan::k_none) {
        steps[in.sum] = in.real ? step::add_real : step::add_integer;
        columns[in.sum] = p.columns[in.field];
        if (in.real) steps[in.sum + 1] = step::low_part;
      }
      if (in.minimum != group_plan::k_none)
        steps[in.minimum] = in.real ? step::least_real : step::least_integer;
      if (in.maximum != group_plan::k_none)
        steps[in.maximum] = in.real ? step::most_real : step::most_integer;
    }
  }

  /// Fills a row that changes nothing.
  void neutral(std::uint64_t* row) const {
    for (std::uint8_t w = 0; w < words; ++w) row[w] = neutral(steps[w]);
  }

  /// Combines `b` into `a`. Throws gossamer::error where a sum of integers exceeds 64 bits.
  void combine(std::uint64_t* a, const std::uint64_t* b) const {
    for (std::uint8_t w = 0; w < words; ++w) switch (steps[w]) {
        case step::add:
          a[w] += b[w];
          break;
        case step::add_integer: {
          std::int64_t sum;
          if (__builtin_add_overflow(static_cast<std::int64_t>(a[w]), static_cast<std::int64_t>(b[w]), &sum))
              [[unlikely]]
            overflow(w);
          a[w] = static_cast<std::uint64_t>(sum);
          break;
        }
        case step::add_real:
          add(a + w, b + w);
          break;
        case step::low_part:
          break;
        case step::least_integer:
          if (static_cast<std::int64_t>(b[w]) < static_cast<std::int64_t>(a[w])) a[w] = b[w];
          break;
        case step::most_integer:
          if (static_cast<std::int64_t>(b[w]) > static_cast<std::int64_t>(a[w])) a[w] = b[w];
          break;
        case step::least_real:
          if (std::bit_cast<double>(b[w]) < std::bit_cast<double>(a[w])) a[w] = b[w];
          break;
        case step::most_real:
          if (std::bit_cast<double>(b[w]) > std::bit_cast<double>(a[w])) a[w] = b[w];
          break;
      }
  }

 private:
  [[noreturn, gnu::cold]] void overflow(std::uint8_t word) const;

  static std::uint64_t neutral(step s) {
    switch (s) {
      case step::least_integer:
        return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      case step::most_integer:
        return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min());
      case step::least_real:
        return std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
      case step::most_real:
        return std::bit_cast<std::uint64_t>(-std::numeric_limits<double>::infinity());
      default:
        return 0;
    }
  }

  /// Adds a double and its low part.
  static void add(std::uint64_t* a, const std::uint64_t* b) {
    const double high = std::bit_cast<double>(a[0]), other = std::bit_cast<double>(b[0]);
    const double sum = high + other;
    if (!std::isfinite(sum)) {
      a[0] = std::bit_cast<std::uint64_t>(sum);
      a[1] = 0;
      return;
    }
    const double part = sum - high;
    const double lost = (high - (sum - part)) + (other - part);
    const double low = lost + (std::bit_cast<double>(a[1]) + std::bit_cast<double>(b[1]));
    const double all = sum + low;
    a[0] = std::bit_cast<std::uint64_t>(all);
    a[1] = std::bit_cast<std::uint64_t>(low - (all - sum));
  }

  per_process<group_state> state_;
};

/// A row of at most `Words` words. Rows are combined by a row_combiner.
template <std::size_t Words>
struct group_row {
  std::array<std::uint64_t, Words> words;
};
template <std::size_t Words>
struct combine_rows {
  row_combiner how;
  /// Combines in place: a copy that is written by words and read by vectors would wait for the store buffer.
  void combine_into(group_row<Words>& a, const group_row<Words>& b) const {
    how.combine(a.words.data(), b.words.data());
  }
  group_row<Words> operator()(const group_row<Words>& a, const group_row<Words>& b) const {
    group_row<Words> sum = a;
    combine_into(sum, b);
    return sum;
  }
};

// A key of several columns is the length of each but the last, 7 bits a byte, before its bytes. A key of one column
// is its bytes.

/// Appends a field to a key.
template <class Text>
void append_key_field(Text& key, std::string_view field, bool last) {
  if (!last) {
    std::size_t n = field.size();
    for (; n >= 0x80; n >>= 7) key.push_back(static_cast<char>(0x80 | (n & 0x7f)));
    key.push_back(static_cast<char>(n));
  }
  key.append(field);
}

/// Returns field `k` of a key of `keys` columns.
inline std::string_view key_field(std::string_view key, std::size_t k, std::size_t keys) {
  for (std::size_t i = 0; i + 1 < keys; ++i) {
    std::size_t n = 0, at = 0;
    unsigned shift = 0;
    for (;; shift += 7) {
      const auto byte = static_cast<unsigned char>(key[at++]);
      n |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (i == k) return key.substr(at, n);
    key.remove_prefix(at + n);
  }
  return key;
}

}  // namespace gossamer::mapreduce
