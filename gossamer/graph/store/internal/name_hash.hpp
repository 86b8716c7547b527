#pragma once
// The hash of a name, the same in every process. For names of at most eight bytes it is a bijection of their
// bytes, so two names of equal length with the same hash are equal.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "gossamer/base/random.hpp"

namespace gossamer::graph {

/// Maximum length of names that are identified by their hash and length.
inline constexpr std::size_t k_short_name = 8;

/// Returns eight bytes, the first one in the lowest bits.
inline std::uint64_t load_word(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// Returns the bytes of a short name, the first one in the lowest bits, followed by zeros.
inline std::uint64_t short_word(const char* p, std::size_t size) {
  const auto byte = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i); };
  if (size == k_short_name) return load_word(p);
  std::uint64_t word = 0;
  if (size >= 4) {
    std::uint32_t first, last;  // overlapping words
    std::memcpy(&first, p, sizeof first);
    std::memcpy(&last, p + size - sizeof last, sizeof last);
    if constexpr (std::endian::native == std::endian::big) {
      first = __builtin_bswap32(first);
      last = __builtin_bswap32(last);
    }
    return first | std::uint64_t{last} << (8 * (size - sizeof last));
  }
  if (size != 0) word = byte(0) | byte(size / 2) | byte(size - 1);
  return word;
}

/// Returns the hash of a name.
inline std::uint64_t hash_name(std::string_view name) {
  const char* p = name.data();
  std::size_t left = name.size();
  if (left <= k_short_name) return hash64(short_word(p, left));
  std::uint64_t h = left;
  for (; left > sizeof h; left -= sizeof h, p += sizeof h) h = hash64(h ^ load_word(p));
  return hash64(h ^ load_word(p + left - sizeof h));  // the last eight bytes, which may overlap
}

}  // namespace gossamer::graph
