#pragma once
// Words for the benches of MapReduce.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::bench {

/// Returns word k of a vocabulary: 2 to 12 letters.
inline std::string vocabulary_word(std::uint64_t k) {
  std::string word(2 + hash64(k) % 11, ' ');
  for (std::size_t i = 0; i < word.size(); ++i) word[i] = static_cast<char>('a' + hash64(k * 16 + i) % 26);
  return word;
}

/// Draws words by Zipf's distribution with exponent 1 of a vocabulary.
inline std::string zipf_text(std::uint64_t bytes, std::uint64_t vocabulary) {
  std::vector<std::string> words;
  std::vector<double> ends;
  double sum = 0;
  for (std::uint64_t k = 0; k < vocabulary; ++k) {
    words.push_back(vocabulary_word(k));
    ends.push_back(sum += 1 / static_cast<double>(k + 1));
  }
  xoshiro256 draw(1);
  std::string text;
  text.reserve(bytes + 16);
  while (text.size() < bytes) {
    const double at = static_cast<double>(draw() >> 11) * 0x1p-53 * sum;
    text +=
        words[static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end() - 1, at) - ends.begin())];
    text += ' ';
  }
  return text;
}

}  // namespace gossamer::bench
