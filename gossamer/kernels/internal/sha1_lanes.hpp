#pragma once
// One block of SHA-1 in every lane of a compiler vector: written once, compiled for several instruction sets.
// No function passes or returns vectors by value, so that no calling convention is required.

#include "gossamer/kernels/internal/sha1.hpp"

namespace gossamer::kernels {

inline constexpr sha1_digest k_sha1_start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

/// The rest of a block of 24 bytes: word 6, the end mark; word 15, the length in bits.
inline constexpr std::uint32_t k_end_mark = 0x80000000, k_bits = 24 * 8;

constexpr std::uint32_t sha1_constant(unsigned t) {
  return t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
}

template <unsigned Lanes>
struct lane_vector {
  typedef std::uint32_t type __attribute__((vector_size(4 * Lanes), may_alias));
};
template <>
struct lane_vector<1> {
  using type = std::uint32_t;
};

template <unsigned Lanes>
struct sha1_lanes {
  using lanes = typename lane_vector<Lanes>::type;

  lanes a, b, c, d, e;
  lanes w[16];

  template <unsigned T>
  [[gnu::always_inline]] inline void round() {
    lanes& word = w[T % 16];
    if constexpr (T >= 16) {
      word ^= w[(T + 13) % 16] ^ w[(T + 8) % 16] ^ w[(T + 2) % 16];
      word = (word << 1) | (word >> 31);
    }
    lanes f;
    if constexpr (T < 20)
      f = d ^ (b & (c ^ d));
    else if constexpr (T >= 40 && T < 60)
      f = (b & c) | (d & (b | c));
    else
      f = b ^ c ^ d;
    f += ((a << 5) | (a >> 27)) + e + (word + sha1_constant(T));
    e = d;
    d = c;
    c = (b << 30) | (b >> 2);
    b = a;
    a = f;
  }

  template <unsigned T = 0>
  [[gnu::always_inline]] inline void rounds() {
    if constexpr (T < 80) {
      round<T>();
      rounds<T + 1>();
    }
  }

  /// Hashes lanes [lane, lane + Lanes) of the batch.
  [[gnu::always_inline]] inline void hash(sha1_batch& batch, unsigned lane) {
    for (unsigned t = 0; t < 6; ++t) w[t] = *reinterpret_cast<const lanes*>(&batch.in[t][lane]);
    for (unsigned t = 6; t < 16; ++t) w[t] = lanes{};
    w[6] += k_end_mark;
    w[15] += k_bits;
    a = lanes{} + k_sha1_start[0];
    b = lanes{} + k_sha1_start[1];
    c = lanes{} + k_sha1_start[2];
    d = lanes{} + k_sha1_start[3];
    e = lanes{} + k_sha1_start[4];
    rounds();
    const lanes sums[5] = {a + k_sha1_start[0], b + k_sha1_start[1], c + k_sha1_start[2], d + k_sha1_start[3],
                           e + k_sha1_start[4]};
    for (unsigned t = 0; t < 5; ++t) *reinterpret_cast<lanes*>(&batch.out[t][lane]) = sums[t];
  }
};

}  // namespace gossamer::kernels
