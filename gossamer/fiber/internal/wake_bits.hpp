#pragma once
// Wake-ups from other cores: one bit per fiber. The bits of the first 448 fibers lie in the one cache line
// that the owner polls; stacks are reused last in, first out, so mostly these fibers wait. A wake-up changes
// the bit. The owner, which remembers the words of its last poll, only reads the line, so a wake-up transfers
// it twice. An owner that cleared the bits would have to fetch the line again, for writing. The other fibers
// have three levels of bits, whose changes the last word of the polled line counts. Setting a bit costs an
// atomic OR (more only for the first bit of an empty word); finding all bits costs one read of each non-empty
// word. Any thread sets a bit that the owner has found since the last time: a fiber is woken once for each
// time that it suspends. Only the owning core drains.
//
//   field               written by                          read by       protected by
//   first words         any core (XOR)                      owner         release XOR / acquire load
//   changes of the rest a core that finds the level below   owner         release add / acquire load
//                       empty
//   leaf words          any core (OR), owner (exchange 0)   owner         release OR / acquire exchange
//   words above         a core that finds the one below     owner         the same
//                       empty, owner (exchange 0)
//
// A setter sets bits bottom up, the owner clears them top down. A bit that is set while the owner descends is
// either taken at once, or leaves the words above it set, or the count changes.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer::fiber {

class wake_bits {
 public:
  /// Makes bits for at most `most` fibers; takes memory for those that are woken.
  explicit wake_bits(std::size_t most)
      : words_(divide_up(most, k_of_leaf) + divide_up(most, k_of_middle) + divide_up(most, k_of_top),
               "wake bits"),
        leaf_(words_.data()),
        middle_(leaf_ + divide_up(most, k_of_leaf)),
        top_(middle_ + divide_up(most, k_of_middle)) {}

  /// Sets the bit of fiber i. Any thread. The caller then checks whether the owner sleeps (seq_cst pairs with
  /// its sleep).
  void set(std::size_t i) {
    machine::preemption_point();
    // release: what the waker wrote before; pairs with drain()'s acquire. seq_cst: see any().
    if (i < k_first)
      first_.words[i / 64].fetch_xor(std::uint64_t{1} << i % 64, std::memory_order_seq_cst);
    else if (raise(leaf_[i >> 6], i & 63) && raise(middle_[i >> 12], (i >> 6) & 63) &&
             raise(top_[i >> 18], (i >> 12) & 63))
      first_.words[k_rest].fetch_add(1, std::memory_order_seq_cst);
    machine::preemption_point();
  }

  /// Returns whether anything may be set. seq_cst: pairs with set() in scheduler's going to sleep. Owner only.
  bool any() const {
    std::uint64_t changed = 0;
    for (std::size_t w = 0; w < k_words; ++w)
      changed |= first_.words[w].load(std::memory_order_seq_cst) ^ seen_.words[w];
    return changed != 0;
  }

  /// Takes every set bit and calls found(index). Owner only. All indices are below `end`. Returns whether
  /// there was one.
  template <class Found>
  bool drain(std::size_t end, Found found) {
    if (!any()) return false;
    bool some = false;
    const auto take = [&](std::size_t i) {
      some = true;
      found(i);
    };
    for (std::size_t w = 0; w < k_rest; ++w) {
      machine::preemption_point();
      const std::uint64_t now = first_.words[w].load(std::memory_order_acquire);  // pairs with set()
      each_bit(now ^ std::exchange(seen_.words[w], now), w, take);
    }
    const std::uint64_t changes = first_.words[k_rest].load(std::memory_order_acquire);  // pairs with set()
    if (changes != std::exchange(seen_.words[k_rest], changes)) drain_rest(end, take);
    return some;
  }

 private:
  using word = std::atomic<std::uint64_t>;
  static constexpr std::size_t k_of_leaf = 64, k_of_middle = 64 * k_of_leaf, k_of_top = 64 * k_of_middle;
  static constexpr std::size_t k_words = k_line_bytes / sizeof(word);
  static constexpr std::size_t k_rest = k_words - 1;  // the last word of the line counts changes of the rest
  static constexpr std::size_t k_first = k_rest * 64;

  struct alignas(2 * k_line_bytes)
      first_line {  // apart from what the owner writes: processors fetch lines in pairs
    std::array<word, k_words> words{};
  };
  struct alignas(k_line_bytes) seen_line {
    std::array<std::uint64_t, k_words> words{};
  };

  /// Sets a bit. Returns true if the word was empty: then the level above must be set, too.
  static bool raise(word& w, std::size_t bit) {
    machine::preemption_point();
    // release: what the waker wrote before; pairs with each()'s acquire
    return w.fetch_or(std::uint64_t{1} << bit, std::memory_order_seq_cst) == 0;
  }
  template <class F>
  static void each(word& w, std::size_t index, F f) {
    machine::preemption_point();
    each_bit(w.exchange(0, std::memory_order_acquire), index, f);
  }
  template <class F>
  static void each_bit(std::uint64_t bits, std::size_t index, F f) {
    for (; bits != 0; bits &= bits - 1) f(index * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  template <class Take>
  void drain_rest(std::size_t end, Take take) {
    for (std::size_t t = 0; t < divide_up(end, k_of_top); ++t)
      each(top_[t], t,
           [&](std::size_t m) { each(middle_[m], m, [&](std::size_t l) { each(leaf_[l], l, take); }); });
  }

  first_line first_;
  seen_line seen_;  // the owner's: what the words of first_ were at its last poll
  machine::zeroed_array<word> words_;
  word *leaf_, *middle_, *top_;  // indexed by all fibers: the first words stay unused
};

}  // namespace gossamer::fiber
