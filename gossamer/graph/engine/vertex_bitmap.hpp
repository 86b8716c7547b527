#pragma once
// Bitmaps over vertices, 64 to a word: a word belongs to the core that owns its vertices
// (boundaries are multiples of k_vertex_alignment).

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// Vertices of a word.
inline constexpr std::uint64_t k_word_bits = 64;

/// Returns the number of words for `vertices` vertices.
inline std::uint64_t words_of(std::uint64_t vertices) { return (vertices + k_word_bits - 1) / k_word_bits; }
/// Returns the bit of v in its word.
inline std::uint64_t bit_of(std::uint64_t v) { return std::uint64_t{1} << (v % k_word_bits); }
/// Returns whether the bit of v is set.
inline bool test_bit(const std::uint64_t* words, std::uint64_t v) {
  return words[v / k_word_bits] >> (v % k_word_bits) & 1;
}

/// Calls f(v) for each set bit of word number `index`, ascending.
template <class F>
void for_each_bit(std::uint64_t word, std::uint64_t index, F f) {
  for (; word != 0; word &= word - 1) f(index * k_word_bits + static_cast<unsigned>(std::countr_zero(word)));
}

/// Returns the elements of a whole array (in index order) in place, for loops with dynamic chunks. The core
/// that executes a chunk owns its elements until the chunk is done, whichever core owns the block. Loops
/// capture this pointer by value instead of the handle. Each process has only its own elements there.
template <class T>
T* elements_of(const array<T>& a) {
  return a.size() == 0 ? nullptr : a.pointer(0).address();
}

/// Returns a copy of all elements of a contiguous array, in index order, in the caller's process. By one fiber,
/// after all writes. With several processes it suspends.
template <class T>
std::vector<T> copy_of(const array<T>& a) {
  const T* const mine = elements_of(a);
  if (processes() == 1) return {mine, mine + a.size()};
  scoped_per_core<std::span<const T>> blocks;
  on_all_cores([a, blocks = blocks.handle()] { blocks.here() = a.local(); });
  std::vector<T> copy;
  copy.reserve(a.size());
  for (const auto& block : collect_spans<T>(blocks.handle(), [](std::span<const T>& own) { return own; }))
    copy.insert(copy.end(), block.begin(), block.end());
  return copy;
}

}  // namespace gossamer::graph
