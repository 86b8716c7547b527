#pragma once
// The set of ids of a range that appear, and their ranks: a bit per id and a count per word. Cores mark
// concurrently. Most marks find the bit set and write nothing, so cache lines stay shared.

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

class id_bitmap {
 public:
  id_bitmap() = default;
  explicit id_bitmap(std::uint64_t ids) : words_(ids / 64 + 1) {}  // new memory is zero

  void mark(std::uint64_t id) const {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::atomic_ref<std::uint64_t> shared(words_[id / 64].bits);
    // relaxed: read only after the marking loop has ended (its end orders everything)
    if (!(shared.load(std::memory_order_relaxed) & bit)) shared.fetch_or(bit, std::memory_order_relaxed);
  }

  /// Numbers the marked ids and returns their number. Called after marking. Serial (a word has 64 ids).
  std::uint64_t number() {
    std::uint64_t sum = 0;
    for (auto& w : words_.all()) {
      w.before = sum;
      sum += static_cast<std::uint64_t>(std::popcount(w.bits));
    }
    return sum;
  }

  /// Returns the number of marked ids below `id`: its rank if it is marked. id <= the size given.
  vertex_id rank(std::uint64_t id) const {
    const word& w = words_[id / 64];
    const std::uint64_t below = w.bits & ((std::uint64_t{1} << (id % 64)) - 1);
    return static_cast<vertex_id>(w.before + static_cast<std::uint64_t>(std::popcount(below)));
  }

  /// Replaces the bits; for processes that merge their marks.
  void set_bits(const std::vector<std::uint64_t>& bits) const {
    for (std::uint64_t w = 0; w < words_.size(); ++w) words_[w].bits = bits[w];
  }

  std::uint64_t words() const { return words_.size(); }
  std::uint64_t bits(std::uint64_t w) const { return words_[w].bits; }
  std::uint64_t before(std::uint64_t w) const { return words_[w].before; }

 private:
  struct word {
    std::uint64_t bits, before;  // adjacent: one cache miss
  };
  buffer<word> words_;
};

}  // namespace gossamer::graph
