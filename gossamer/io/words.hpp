#pragma once
// Splits a text into words: maximal runs of bytes of one kind. Vector instructions classify 64 bytes at once,
// and the words are extracted from the resulting bits. So a word costs a few instructions, whatever its
// length.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gossamer::io {

/// Bytes of a word: all but the six blanks of C, which are the space and the characters 9 to 13.
struct non_blank {
  /// Returns whether a byte, or each byte of a vector, belongs to a word.
  template <class Byte>
  static constexpr auto is_word(Byte c) {
    return (c != Byte{} + ' ') & (static_cast<Byte>(c - 9) >= Byte{} + 5);
  }
};

/// Bytes of a word: ASCII letters, and all bytes of letters beyond ASCII in UTF-8.
struct letter {
  /// Returns whether a byte, or each byte of a vector, belongs to a word.
  template <class Byte>
  static constexpr auto is_word(Byte c) {
    return (static_cast<Byte>((c | 0x20) - 'a') < Byte{} + 26) | (c >= Byte{} + 0x80);
  }
};

/// Bytes of a line: all but LF.
struct non_line_end {
  /// Returns whether a byte, or each byte of a vector, belongs to a word.
  template <class Byte>
  static constexpr auto is_word(Byte c) {
    return c != Byte{} + '\n';
  }
};

namespace internal {

/// Returns 64 bits: bit k says whether byte k belongs to a word.
template <class Kind>
std::uint64_t word_bits(const char* at) noexcept {
#if defined(__SSE2__)
  using bytes = unsigned char __attribute__((vector_size(16)));
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    bytes c;
    std::memcpy(&c, at + 16 * i, sizeof c);
    const auto is = Kind::is_word(c);
    bits |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(is)))}
            << (16 * i);
  }
  return bits;
#else
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 64; ++i)
    bits |= std::uint64_t{static_cast<bool>(Kind::is_word(static_cast<unsigned char>(at[i])))} << i;
  return bits;
#endif
}

}  // namespace internal

/// Calls f(std::string_view) for each word of a text, in order. `Kind` says which bytes belong to words.
/// Runs at about 2.5 GB/s without f. Reads nothing outside the text.
template <class Kind = non_blank, class F>
void for_each_word(std::string_view text, F f) {
  const char* const begin = text.data();
  const std::size_t whole = text.size() / 64 * 64;
  const char* open = nullptr;  // the start of a word whose end has not been found yet
  const auto take = [&](const char* at, std::uint64_t bits) {
    // Word-begin bits and word-end bits alternate. If a word is open, its end comes first.
    std::uint64_t edges = bits ^ (bits << 1 | std::uint64_t{open != nullptr});
    if (open != nullptr) {
      if (edges == 0) return;
      const char* const end = at + std::countr_zero(edges);
      edges &= edges - 1;
      f(std::string_view(open, static_cast<std::size_t>(end - open)));
      open = nullptr;
    }
    while (edges != 0) {
      const char* const first = at + std::countr_zero(edges);
      edges &= edges - 1;
      if (edges == 0) {
        open = first;
        return;
      }
      const char* const end = at + std::countr_zero(edges);
      edges &= edges - 1;
      f(std::string_view(first, static_cast<std::size_t>(end - first)));
    }
  };
  for (std::size_t i = 0; i < whole; i += 64) take(begin + i, internal::word_bits<Kind>(begin + i));
  if (const std::size_t rest = text.size() - whole; rest != 0) {
    char last[64] = {};
    std::memcpy(last, begin + whole, rest);
    take(begin + whole, internal::word_bits<Kind>(last) & ((std::uint64_t{1} << rest) - 1));
  }
  // The end of a word at the end of the text has no bit, or a bit in the last block.
  if (open != nullptr) f(std::string_view(open, static_cast<std::size_t>(begin + text.size() - open)));
}

}  // namespace gossamer::io
