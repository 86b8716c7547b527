#pragma once
// Hashes of bytes: well mixed 64 bits, the same in every process of a job. Not safe against adversaries.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gossamer/base/random.hpp"

namespace gossamer {

/// Multiplies two words to 128 bits and joins both halves.
inline std::uint64_t multiply_fold(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = wide{a} * b;
  return static_cast<std::uint64_t>(product) + static_cast<std::uint64_t>(product >> 64);
}

/// Hashes two words: two multiplications, for keys that are looked up once for every few ns of input.
inline std::uint64_t hash_words(std::uint64_t a, std::uint64_t b) noexcept {
  return multiply_fold(multiply_fold(a ^ 0x9e3779b97f4a7c15U, 0xda942042e4dd58b5U) ^ b, 0xd6e8feb86659fd93U);
}

/// Hashes any bytes: multiplies each 8 of them to 128 bits and joins both halves.
inline std::uint64_t hash_bytes(const void* data, std::size_t size) noexcept {
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint64_t state = size * 0x9e3779b97f4a7c15U;
  std::uint64_t word = 0;
  const auto mix = [&] { state = multiply_fold((state ^ word) + 0xd6e8feb86659fd93U, 0xda942042e4dd58b5U); };
  for (; size >= sizeof word; size -= sizeof word, p += sizeof word) {
    std::memcpy(&word, p, sizeof word);
    mix();
  }
  if (size > 0) {
    word = 0;
    std::memcpy(&word, p, size);
    mix();
  }
  return hash64(state);
}

}  // namespace gossamer
