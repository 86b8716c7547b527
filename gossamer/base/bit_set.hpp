#pragma once
// A set of small numbers, one bit each. One thread.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gossamer {

class bit_set {
 public:
  bit_set() = default;
  /// Numbers below 64 * words.
  explicit bit_set(std::size_t words) : words_(words) {}
  void resize(std::size_t words) { words_.resize(words); }

  void set(unsigned i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void clear(unsigned i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool has(unsigned i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  bool empty() const {
    for (const std::uint64_t w : words_)
      if (w != 0) return false;
    return true;
  }
  /// Returns the number of elements. O(words).
  unsigned count() const {
    unsigned n = 0;
    for (const std::uint64_t w : words_) n += static_cast<unsigned>(std::popcount(w));
    return n;
  }
  /// Returns the smallest element that is at least `from`; 64 * words if there is none.
  unsigned next(unsigned from) const {
    const auto words = static_cast<unsigned>(words_.size());
    for (unsigned w = from / 64; w < words; from = ++w * 64)
      if (const std::uint64_t rest = words_[w] >> (from % 64); rest != 0)
        return from + static_cast<unsigned>(std::countr_zero(rest));
    return words * 64;
  }

  std::size_t words() const { return words_.size(); }
  /// Adds up to 64 numbers.
  void add_word(std::size_t w, std::uint64_t bits) { words_[w] |= bits; }
  /// Returns 64 elements of the set as a word, and removes them.
  std::uint64_t take_word(std::size_t w) { return std::exchange(words_[w], 0); }
  operator std::span<const std::uint64_t>() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace gossamer
