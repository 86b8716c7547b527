#pragma once
// Combines rows of results, word by word, according to their plan.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

#include "gossamer/base/wide_integer.hpp"
#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/tables/internal/group_plan.hpp"
#include "gossamer/tables/internal/is_first.hpp"

namespace gossamer::tables {

struct group_state;

/// Combines rows word by word. Trivially copyable.
struct row_combiner {
  enum class step : std::uint8_t {
    add,
    add_integer,
    add_long,  // 2 words, least significant first
    add_wide,  // 3 words
    add_real,  // 2 words
    done,  // handled with an earlier word
    least_integer,
    most_integer,
    least_wide,  // 2 words
    most_wide,
    least_text,  // 4 words
    most_text,
    least_real,  // NaN if one is
    most_real
  };
  std::uint8_t words = 0;
  std::array<step, group_plan::k_most_words> steps = {};
  std::array<std::uint8_t, group_plan::k_most_inputs> sums = {};  // by input: the word of its sum of integers

  row_combiner() = default;
  /// Takes the layout, and the state that records sums beyond 64 bits.
  explicit row_combiner(const group_plan& p, per_process<group_state> state = {})
      : words(p.words), state_(state) {
    const auto set = [this](std::uint8_t word, step what, std::uint8_t n) {
      if (word == group_plan::k_none) return;
      steps[word] = what;
      for (std::uint8_t w = 1; w < n; ++w) steps[word + w] = step::done;
    };
    for (std::uint8_t i = 0; i < p.inputs; ++i) {
      const group_plan::input& in = p.of[i];
      const std::uint8_t sum_words = in.sum_words(), n = in.integer_words();
      constexpr std::array k_sums{step::add_integer, step::add_long, step::add_wide};
      set(in.integers.sum, k_sums[sum_words - 1], sum_words);
      sums[i] = in.integers.sum;
      set(in.integers.minimum, n == 1 ? step::least_integer : step::least_wide, n);
      set(in.integers.maximum, n == 1 ? step::most_integer : step::most_wide, n);
      set(in.texts.minimum, step::least_text, group_plan::k_text_words);
      set(in.texts.maximum, step::most_text, group_plan::k_text_words);
      set(in.reals.sum, step::add_real, 2);
      set(in.reals.minimum, step::least_real, 1);
      set(in.reals.maximum, step::most_real, 1);
    }
  }

  /// Fills a neutral row.
  void neutral(std::uint64_t* row) const {
    for (std::uint8_t w = 0; w < words; ++w) {
      row[w] = neutral(steps[w]);
      if (steps[w] == step::least_text) {
        for (std::uint8_t i = 0; i < group_plan::k_text_words; ++i) row[w + i] = ~std::uint64_t{0};
        w += group_plan::k_text_words - 1;
        continue;
      }
      if (steps[w] != step::least_wide && steps[w] != step::most_wide) continue;
      const wide_integer most = static_cast<wide_integer>(~wide_unsigned{0} >> 1);
      write_wide(row + w, steps[w] == step::least_wide ? most : -most - 1);
      ++w;
    }
  }

  /// Combines `b` into `a`. If a one-word sum overflows, the state records that, and the pass has to be
  /// repeated.
  void combine(std::uint64_t* a, const std::uint64_t* b) const {
    combine_each([a, b](auto f) { f(a, b); });
  }

  /// Combines pairs of rows, word by word: pairs(f) calls f(a, b) for each pair, and is called for each word.
  template <class Pairs>
  void combine_each(Pairs pairs) const {
    for (std::uint8_t w = 0; w < words; ++w) {
      const auto each = [&](auto f) {
        pairs([&](std::uint64_t* a, const std::uint64_t* b) { f(a[w], b[w]); });
      };
      const auto at = [&](auto f) {
        pairs([&](std::uint64_t* a, const std::uint64_t* b) { f(a + w, b + w); });
      };
      switch (steps[w]) {
        case step::add:
          each([](std::uint64_t& a, std::uint64_t b) { a += b; });
          break;
        case step::add_integer:
          each([&](std::uint64_t& a, std::uint64_t b) {
            std::int64_t sum;
            if (__builtin_add_overflow(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), &sum))
                [[unlikely]]
              overflow(w);
            a = static_cast<std::uint64_t>(sum);
          });
          break;
        case step::add_long:
          at([](std::uint64_t* a, const std::uint64_t* b) {
            write_wide(a, static_cast<wide_integer>(static_cast<wide_unsigned>(read_wide(a)) +
                                                    static_cast<wide_unsigned>(read_wide(b))));
          });
          break;
        case step::add_wide:
          at([](std::uint64_t* a, const std::uint64_t* b) { add_wide(a, b); });
          break;
        case step::add_real:
          at([](std::uint64_t* a, const std::uint64_t* b) { add(a, b); });
          break;
        case step::done:
          break;
        case step::least_integer:
          each([](std::uint64_t& a, std::uint64_t b) {
            if (static_cast<std::int64_t>(b) < static_cast<std::int64_t>(a)) a = b;
          });
          break;
        case step::most_integer:
          each([](std::uint64_t& a, std::uint64_t b) {
            if (static_cast<std::int64_t>(b) > static_cast<std::int64_t>(a)) a = b;
          });
          break;
        case step::least_wide:
          at([](std::uint64_t* a, const std::uint64_t* b) {
            if (read_wide(b) < read_wide(a)) std::memcpy(a, b, 2 * sizeof a[0]);
          });
          break;
        case step::most_wide:
          at([](std::uint64_t* a, const std::uint64_t* b) {
            if (read_wide(b) > read_wide(a)) std::memcpy(a, b, 2 * sizeof a[0]);
          });
          break;
        case step::least_text:
          at([](std::uint64_t* a, const std::uint64_t* b) {
            if (is_text_before(b, a)) std::memcpy(a, b, group_plan::k_text_words * sizeof a[0]);
          });
          break;
        case step::most_text:
          at([](std::uint64_t* a, const std::uint64_t* b) {
            if (is_text_before(a, b)) std::memcpy(a, b, group_plan::k_text_words * sizeof a[0]);
          });
          break;
        case step::least_real:
          each([](std::uint64_t& a, std::uint64_t b) {
            if (is_first<std::less<>>(std::bit_cast<double>(b), std::bit_cast<double>(a))) a = b;
          });
          break;
        case step::most_real:
          each([](std::uint64_t& a, std::uint64_t b) {
            if (is_first<std::greater<>>(std::bit_cast<double>(b), std::bit_cast<double>(a))) a = b;
          });
          break;
      }
    }
  }

  /// Returns whether a text of 4 words comes before another in byte order.
  static bool is_text_before(const std::uint64_t* a, const std::uint64_t* b) {
    return std::memcmp(a, b, group_plan::k_text_words * sizeof a[0]) < 0;
  }
  /// Reads an integer of 2 words.
  static wide_integer read_wide(const std::uint64_t* words) {
    return static_cast<wide_integer>(static_cast<wide_unsigned>(words[1]) << 64 | words[0]);
  }
  /// Writes an integer of 2 words.
  static void write_wide(std::uint64_t* words, wide_integer value) {
    words[0] = static_cast<std::uint64_t>(value);
    words[1] = static_cast<std::uint64_t>(static_cast<wide_unsigned>(value) >> 64);
  }

 private:
  [[gnu::cold, gnu::noinline]] void overflow(std::uint8_t word) const;

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

  /// Adds integers of 3 words.
  static void add_wide(std::uint64_t* a, const std::uint64_t* b) {
    wide_unsigned carry = 0;
    for (int w = 0; w < 3; ++w) {
      carry += static_cast<wide_unsigned>(a[w]) + b[w];
      a[w] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }

  /// Adds a double and its rounding error.
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
  /// Combines in place: a copy written by words and read by vectors would stall on store forwarding.
  void combine_into(group_row<Words>& a, const group_row<Words>& b) const {
    how.combine(a.words.data(), b.words.data());
  }
  /// Combines pairs of rows word by word, so what a word needs is decided once for all of them.
  void combine_each(std::span<const mapreduce::value_pair<group_row<Words>>> rows) const {
    how.combine_each([rows](auto f) {
      for (const auto& [into, row] : rows) f(into->words.data(), row->words.data());
    });
  }
  group_row<Words> operator()(const group_row<Words>& a, const group_row<Words>& b) const {
    group_row<Words> sum = a;
    combine_into(sum, b);
    return sum;
  }
};

}  // namespace gossamer::tables
