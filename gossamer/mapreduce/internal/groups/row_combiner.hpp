#pragma once
// Combines rows of results, word by word, as their plan says.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "gossamer/mapreduce/internal/groups/group_plan.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

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

}  // namespace gossamer::mapreduce
