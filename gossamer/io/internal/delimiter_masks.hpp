#pragma once
// Finds separators, quotes and line feeds in 64 bytes at a time, as masks: bit i stands for byte i. Uses AVX2
// or SSE2 if the build has them, 64-bit words otherwise. Computes the parity of quotes by a carry-less prefix
// sum, as in Langdale and Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 2019.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gossamer::io {

inline constexpr std::size_t k_block_bytes = 64;

/// 64 bytes to compare with several characters, in 64-bit words, for processors without vectors.
class word_block {
 public:
  explicit word_block(const char* bytes) { std::memcpy(words_, bytes, k_block_bytes); }

  /// Returns the mask of the bytes that equal c.
  std::uint64_t equal(char c) const {
    constexpr std::uint64_t k_each = 0x0101010101010101U, k_low = 0x7f7f7f7f7f7f7f7fU;
    const std::uint64_t pattern = k_each * static_cast<unsigned char>(c);
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 8; ++i) {
      std::uint64_t word = words_[i] ^ pattern;
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      const std::uint64_t zero = ~(((word & k_low) + k_low) | word | k_low) >> 7;  // 1 in each byte that is 0
      mask |= (zero * 0x0102040810204080U >> 56) << (8 * i);  // gathers these eight bits
    }
    return mask;
  }

 private:
  std::uint64_t words_[8];
};

#if defined(__AVX2__)
class vector_block {
 public:
  explicit vector_block(const char* bytes)
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32))) {}

  /// Returns the mask of the bytes that equal c.
  std::uint64_t equal(char c) const {
    const __m256i pattern = _mm256_set1_epi8(c);
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low_, pattern)));
    const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high_, pattern)));
    return low | std::uint64_t{high} << 32;
  }

 private:
  __m256i low_, high_;
};
#elif defined(__SSE2__)
class vector_block {
 public:
  explicit vector_block(const char* bytes) {
    for (unsigned i = 0; i < 4; ++i)
      parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + std::size_t{16} * i));
  }

  /// Returns the mask of the bytes that equal c.
  std::uint64_t equal(char c) const {
    const __m128i pattern = _mm_set1_epi8(c);
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto part = static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(parts_[i], pattern)));
      mask |= std::uint64_t{part} << (16 * i);
    }
    return mask;
  }

 private:
  __m128i parts_[4];
};
#else
using vector_block = word_block;
#endif

/// Returns the mask whose bit i is the parity of bits 0 to i of `bits`.
inline std::uint64_t prefix_parity(std::uint64_t bits) {
#if defined(__PCLMUL__)
  const __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
#else
  for (unsigned step = 1; step < 64; step *= 2) bits ^= bits << step;
  return bits;
#endif
}

/// Tracks which bytes of a text are inside quotes, in blocks of 64 bytes.
class quote_parity {
 public:
  explicit quote_parity(bool in_quotes) : before_(in_quotes ? ~std::uint64_t{0} : 0) {}

  /// Returns the mask of those of the next 64 bytes that are inside quotes. An opening quote is inside, a
  /// closing one is not.
  std::uint64_t inside(std::uint64_t quotes) {
    const std::uint64_t mask = prefix_parity(quotes) ^ before_;
    before_ = (mask >> 63) != 0 ? ~std::uint64_t{0} : 0;
    return mask;
  }
  /// Returns whether the next byte is inside quotes.
  bool in_quotes() const { return before_ != 0; }

 private:
  std::uint64_t before_;  // all bits set, or none
};

}  // namespace gossamer::io
