#pragma once
// Words of sources, for searches from many sources at once: bit i stands for source i of a batch.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gossamer/graph/engine/vertex_bitmap.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// A set of sources of a batch.
using source_word = std::uint64_t;
/// Maximum number of sources of a batch.
inline constexpr std::size_t k_word_sources = k_word_bits;

/// Returns the word that has the first n sources, n up to k_word_sources.
constexpr source_word first_sources(std::size_t n) {
  return n >= k_word_sources ? ~source_word{0} : (source_word{1} << n) - 1;
}

/// The state of a vertex in a search. Both words are always read together, so they are adjacent.
struct reach_words {
  source_word seen = 0;  ///< sources that reached it, the frontier included
  source_word next = 0;  ///< sources that reach it on the level being computed
};

/// A vertex of the frontier.
struct reached_vertex {
  vertex_id vertex = 0;  ///< its number
  source_word sources = 0;  ///< the sources that reached it on the newest level
};

/// Counts, for each source, the words that have it. Stores bit k of all counts in one word, and adds eight
/// words at a time by carry-save adders: about five operations per word, however many bits are set [W. D.
/// Harley, in H. S. Warren, "Hacker's Delight", 2013, 5-1].
class source_counts {
 public:
  /// Counts the sources of a word.
  void add(source_word w) {
    pending_[size_++] = w;
    if (size_ == pending_.size()) add_pending();
  }
  /// Calls f(source, count) for each source that was counted, in an arbitrary order, and resets the counts.
  template <class F>
  void take(F f) {
    for (std::size_t i = 0; i < size_; ++i) carry_on(pending_[i], 0);
    size_ = 0;
    source_word any = 0;
    std::array<std::uint64_t, k_word_sources> counts{};
    for (std::size_t k = 0; k < top_; ++k) {
      for_each_bit(planes_[k], 0, [&](std::uint64_t s) { counts[s] += std::uint64_t{1} << k; });
      any |= planes_[k];
      planes_[k] = 0;
    }
    top_ = 0;
    for_each_bit(any, 0, [&](std::uint64_t s) { f(s, counts[s]); });
  }

 private:
  /// Adds two bits of the same weight to `sum`, for all sources, and returns the carries.
  static source_word add_two(source_word& sum, source_word a, source_word b) {
    const source_word some = sum ^ a, carried = (sum & a) | (some & b);
    sum = some ^ b;
    return carried;
  }
  void add_pending() {
    const auto& p = pending_;
    const source_word two_a = add_two(planes_[0], p[0], p[1]), two_b = add_two(planes_[0], p[2], p[3]);
    const source_word four_a = add_two(planes_[1], two_a, two_b);
    const source_word two_c = add_two(planes_[0], p[4], p[5]), two_d = add_two(planes_[0], p[6], p[7]);
    const source_word four_b = add_two(planes_[1], two_c, two_d);
    if (top_ < 3) top_ = 3;
    carry_on(add_two(planes_[2], four_a, four_b), 3);
    size_ = 0;
  }
  /// Adds a word of weight 2^k.
  void carry_on(source_word w, std::size_t k) {
    for (; w != 0; ++k) {
      const source_word carried = planes_[k] & w;
      planes_[k] ^= w;
      w = carried;
      if (k >= top_) top_ = k + 1;
    }
  }

  std::array<source_word, 64> planes_{};  // planes_[k]: bit k of the counts
  std::size_t top_ = 0;  // number of planes that may be non-zero
  std::array<source_word, 8> pending_{};
  std::size_t size_ = 0;
};

}  // namespace gossamer::graph
