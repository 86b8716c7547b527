#pragma once
// Which ids of a range appear, and their numbers without the gaps: a bit per id and a count per word.
// Cores mark concurrently; most marks find the bit set and write nothing, so lines stay shared.

#include <atomic>
#include <bit>
#include <cstdint>

#include "gossamer/graph/buffer.hpp"
#include "gossamer/graph/view.hpp"

namespace gossamer::graph {

class presence {
 public:
  presence() = default;
  explicit presence(std::uint64_t ids) : bits_(ids / 64 + 1) {}  // region memory is zero

  void mark(std::uint64_t id) const {
    std::uint64_t& word = bits_[id / 64];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::atomic_ref<std::uint64_t> shared(word);
    // relaxed: read only after the loop that marks has ended (its end orders everything)
    if (!(shared.load(std::memory_order_relaxed) & bit)) shared.fetch_or(bit, std::memory_order_relaxed);
  }

  /// After marking: counts, serially (a word holds 64 ids). Returns how many ids appear.
  std::uint64_t number() {
    before_ = buffer<vertex_id>(bits_.size());
    std::uint64_t sum = 0;
    for (std::uint64_t w = 0; w < bits_.size(); ++w) {
      before_[w] = static_cast<vertex_id>(sum);
      sum += static_cast<std::uint64_t>(std::popcount(bits_[w]));
    }
    return sum;
  }

  /// Ids below `id` that appear: the number of `id` if it appears itself. id <= the size given.
  vertex_id rank(std::uint64_t id) const {
    const std::uint64_t below = bits_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return static_cast<vertex_id>(before_[id / 64] + static_cast<vertex_id>(std::popcount(below)));
  }

  std::uint64_t words() const { return bits_.size(); }
  std::uint64_t word(std::uint64_t w) const { return bits_[w]; }
  vertex_id before(std::uint64_t w) const { return before_[w]; }

 private:
  buffer<std::uint64_t> bits_;
  buffer<vertex_id> before_;
};

}  // namespace gossamer::graph
