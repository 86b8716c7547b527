#pragma once
// How rows of results are laid out. A row is a number of 64-bit words: first how many records, then for
// each column of numbers how many fields were not empty, their sum, minimum and maximum as far as they are asked for;
// then a word for each `distinct`. Sums of integers are one word. Others are two: a double and what was rounded off
// (Dekker, "A floating-point technique for extending the available precision", 1971).

#include <array>
#include <cstddef>
#include <cstdint>

#include "gossamer/mapreduce/group_by.hpp"

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

}  // namespace gossamer::mapreduce
