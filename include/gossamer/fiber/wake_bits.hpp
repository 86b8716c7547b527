#pragma once
// Wake-ups from other cores: one bit per fiber, with two levels of summary above, so that setting
// one costs an atomic OR (more only for the first bit of an empty word) and finding all of them
// costs a look at one line. Any thread sets; only the owning core drains.
//
//   field       written by                          read by       protected by
//   leaf words  any core (OR), owner (exchange 0)   owner         release OR / acquire exchange
//   summaries   who finds the word below empty,     owner         the same
//               owner (exchange 0)
//
// A setter raises leaf, then middle, then top; the owner lowers top, then middle, then leaf: a bit
// set while the owner is on its way down is either taken at once or leaves its summaries raised.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/base/bits.hpp"

namespace gossamer::fiber {

class wake_bits {
 public:
  explicit wake_bits(std::size_t bits)
      : leaf_(std::make_unique<word[]>(divide_up(bits, 64U))),
        middle_(std::make_unique<word[]>(divide_up(bits, 64U * 64U))),
        tops_(divide_up(bits, 64U * 64U * 64U)),
        top_(std::make_unique<word[]>(tops_)) {}

  /// From any thread. The caller then looks whether the owner sleeps (seq_cst pairs with its sleep).
  void set(std::size_t i) {
    if (raise(leaf_[i >> 6], i & 63) && raise(middle_[i >> 12], (i >> 6) & 63))
      raise(top_[i >> 18], (i >> 12) & 63);
  }

  /// Whether anything may be set. seq_cst: pairs with set() in scheduler's going to sleep.
  bool any() const {
    for (std::size_t t = 0; t < tops_; ++t)
      if (top_[t].load(std::memory_order_seq_cst) != 0) return true;
    return false;
  }

  /// Owner only: takes every set bit and calls found(index). Returns whether there was one.
  template <class Found>
  bool drain(Found found) {
    bool some = false;
    for (std::size_t t = 0; t < tops_; ++t) {
      if (top_[t].load(std::memory_order_relaxed) == 0) continue;  // only a hint; any() decides before sleep
      each(top_[t], t, [&](std::size_t m) {
        each(middle_[m], m, [&](std::size_t l) {
          each(leaf_[l], l, [&](std::size_t i) {
            some = true;
            found(i);
          });
        });
      });
    }
    return some;
  }

 private:
  using word = std::atomic<std::uint64_t>;

  /// True where the word was empty: then the level above has to be raised too.
  static bool raise(word& w, std::size_t bit) {
    // release: what the waker wrote before; pairs with each()'s acquire. seq_cst: see any().
    return w.fetch_or(std::uint64_t{1} << bit, std::memory_order_seq_cst) == 0;
  }
  template <class F>
  static void each(word& w, std::size_t index, F f) {
    for (std::uint64_t bits = w.exchange(0, std::memory_order_acquire); bits != 0; bits &= bits - 1)
      f(index * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  std::unique_ptr<word[]> leaf_, middle_;
  std::size_t tops_;
  std::unique_ptr<word[]> top_;
};

}  // namespace gossamer::fiber
