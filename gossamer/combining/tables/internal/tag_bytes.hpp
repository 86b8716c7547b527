#pragma once
// Compares 16 bytes with one value: the first step of a search in a group. With SSE2 four instructions;
// otherwise two 64-bit words, with the same result.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gossamer::combining {

inline constexpr unsigned k_tag_bytes = 16;

/// Returns a mask whose bit i says whether bytes[i] == value. Any processor.
inline std::uint32_t equal_bytes_portable(const std::uint8_t* bytes, std::uint8_t value) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101U, low7 = 0x7f * ones;
  std::uint32_t result = 0;
  for (unsigned half = 0; half < 2; ++half) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + 8 * half, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    word ^= value * ones;
    // The top bit of each byte that is 0, and no other bit: sums of 7 bits do not carry into the next byte.
    const std::uint64_t zero = ~(((word & low7) + low7) | word | low7);
    // Gathers the eight top bits: byte i's bit moves to 56 + i, and no two terms of the product overlap.
    result |= static_cast<std::uint32_t>(((zero >> 7) * 0x0102040810204080U) >> 56) << (8 * half);
  }
  return result;
}

/// Does the same as equal_bytes_portable(), with vector instructions if available. `bytes` is aligned to 16.
inline std::uint32_t equal_bytes(const std::uint8_t* bytes, std::uint8_t value) noexcept {
#ifdef __SSE2__
  const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i same = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(value)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(same));
#else
  return equal_bytes_portable(bytes, value);
#endif
}

}  // namespace gossamer::combining
