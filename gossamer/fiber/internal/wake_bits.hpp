#pragma once
// Wake-ups from other cores: one bit per fiber. The first 448 fibers (stacks are reused last-in first-out, so
// mostly these wait) have theirs in one cache line together with the word that the owner polls: a
// wake-up moves that line over and back. The others have three levels of their own, which the polled word
// sums up: setting a bit costs an atomic OR (more only for the first bit of an empty word), finding
// all of them a look at the words that hold any. Any thread sets; only the owning core drains.
//
//   field         written by                          read by       protected by
//   leaf words    any core (OR), owner (exchange 0)   owner         release OR / acquire exchange
//   words above   a core that finds the one below     owner         the same
//                 empty, owner (exchange 0)
//
// A setter raises bottom up, the owner lowers top down: a bit set while the owner is on its way
// down is either taken at once or leaves the words above it raised.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer::fiber {

class wake_bits {
 public:
  /// For `most` fibers at most; takes memory for those that are woken.
  explicit wake_bits(std::size_t most)
      : words_(divide_up(most, k_of_leaf) + divide_up(most, k_of_middle) + divide_up(most, k_of_top),
               "wake bits"),
        leaf_(words_.data()),
        middle_(leaf_ + divide_up(most, k_of_leaf)),
        top_(middle_ + divide_up(most, k_of_middle)) {}

  /// Sets the bit of fiber i. Any thread. The caller then looks whether the owner sleeps (seq_cst pairs with
  /// its sleep).
  void set(std::size_t i) {
    if (i < k_first) {
      if (raise(first_.leaf[i / 64], i % 64)) raise(first_.sum, i / 64);
      return;
    }
    if (raise(leaf_[i >> 6], i & 63) && raise(middle_[i >> 12], (i >> 6) & 63) &&
        raise(top_[i >> 18], (i >> 12) & 63))
      raise(first_.sum, k_rest_bit);
  }

  /// Returns whether anything may be set. seq_cst: pairs with set() in scheduler's going to sleep.
  bool any() const { return first_.sum.load(std::memory_order_seq_cst) != 0; }

  /// Takes every set bit and calls found(index). Owner only. All indices are below `end`. Returns whether
  /// there was one.
  template <class Found>
  bool drain(std::size_t end, Found found) {
    if (first_.sum.load(std::memory_order_relaxed) == 0)
      return false;  // only a hint; any() decides before sleep
    bool some = false;
    const auto take = [&](std::size_t i) {
      some = true;
      found(i);
    };
    each(first_.sum, 0, [&](std::size_t n) {
      if (n < k_first_leaves)
        each(first_.leaf[n], n, take);
      else
        drain_rest(end, take);
    });
    return some;
  }

 private:
  using word = std::atomic<std::uint64_t>;
  static constexpr std::size_t k_of_leaf = 64, k_of_middle = 64 * k_of_leaf, k_of_top = 64 * k_of_middle;
  static constexpr std::size_t k_first_leaves = k_line_bytes / sizeof(word) - 1;
  static constexpr std::size_t k_first = k_first_leaves * 64;
  static constexpr std::size_t k_rest_bit = k_first_leaves;

  struct alignas(k_line_bytes) first_line {
    word sum{0};
    std::array<word, k_first_leaves> leaf{};
  };

  /// Sets a bit. Returns true where the word was empty: then the level above has to be raised too.
  static bool raise(word& w, std::size_t bit) {
    machine::preemption_point();
    // release: what the waker wrote before; pairs with each()'s acquire. seq_cst: see any().
    return w.fetch_or(std::uint64_t{1} << bit, std::memory_order_seq_cst) == 0;
  }
  template <class F>
  static void each(word& w, std::size_t index, F f) {
    machine::preemption_point();
    for (std::uint64_t bits = w.exchange(0, std::memory_order_acquire); bits != 0; bits &= bits - 1)
      f(index * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  template <class Take>
  void drain_rest(std::size_t end, Take take) {
    for (std::size_t t = 0; t < divide_up(end, k_of_top); ++t)
      each(top_[t], t,
           [&](std::size_t m) { each(middle_[m], m, [&](std::size_t l) { each(leaf_[l], l, take); }); });
  }

  first_line first_;
  machine::zeroed_array<word> words_;
  word *leaf_, *middle_, *top_;  // indexed by all fibers: the first words stay unused
};

}  // namespace gossamer::fiber
