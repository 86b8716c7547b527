#pragma once
// SHA-1 by the SHA extensions of x86, four lanes side by side: a round group takes 4 to 6 cycles, and the
// processor starts one every two. Only on processors that have them (sha1.cpp checks).

#if defined(__x86_64__)

#include <immintrin.h>

#include "gossamer/kernels/internal/sha1_lanes.hpp"

#define GOSSAMER_SHA [[gnu::always_inline, gnu::target("sha,sse4.1")]]

namespace gossamer::kernels {

struct sha1_extension_lane {
  __m128i abcd, before;  // `before`: abcd of four rounds ago, whose first word is this group's e
  __m128i m0, m1, m2, m3;  // words of the groups to come, the first word highest

  template <unsigned Group>
  GOSSAMER_SHA inline void four_rounds(__m128i& now, const __m128i& next, const __m128i& third,
                                       const __m128i& last) {
    if constexpr (Group >= 4)
      now = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(now, next), third), last);
    const __m128i e = Group == 0 ? _mm_add_epi32(before, now) : _mm_sha1nexte_epu32(before, now);
    before = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, e, Group / 5);
  }
  template <unsigned Group>
  GOSSAMER_SHA inline void group() {
    if constexpr (Group % 4 == 0) four_rounds<Group>(m0, m1, m2, m3);
    if constexpr (Group % 4 == 1) four_rounds<Group>(m1, m2, m3, m0);
    if constexpr (Group % 4 == 2) four_rounds<Group>(m2, m3, m0, m1);
    if constexpr (Group % 4 == 3) four_rounds<Group>(m3, m0, m1, m2);
  }
};

/// Runs the rounds of four lanes, interleaved.
template <unsigned Group = 0>
GOSSAMER_SHA inline void side_by_side(sha1_extension_lane& a, sha1_extension_lane& b, sha1_extension_lane& c,
                                      sha1_extension_lane& d) {
  if constexpr (Group < 20) {
    a.group<Group>();
    b.group<Group>();
    c.group<Group>();
    d.group<Group>();
    side_by_side<Group + 1>(a, b, c, d);
  }
}

/// Hashes lanes [lane, lane + 4) of the batch.
GOSSAMER_SHA inline void hash_by_extension(sha1_batch& batch, unsigned lane) {
  __m128i in[6];
  for (unsigned t = 0; t < 6; ++t)
    in[t] = _mm_load_si128(reinterpret_cast<const __m128i*>(&batch.in[t][lane]));
  const __m128i low32 = _mm_unpacklo_epi32(in[3], in[2]), low10 = _mm_unpacklo_epi32(in[1], in[0]);
  const __m128i high32 = _mm_unpackhi_epi32(in[3], in[2]), high10 = _mm_unpackhi_epi32(in[1], in[0]);
  const __m128i low54 = _mm_unpacklo_epi32(in[5], in[4]), high54 = _mm_unpackhi_epi32(in[5], in[4]);
  const __m128i mark = _mm_set_epi32(static_cast<int>(k_end_mark), 0, static_cast<int>(k_end_mark), 0);
  const __m128i start = _mm_set_epi32(static_cast<int>(k_sha1_start[0]), static_cast<int>(k_sha1_start[1]),
                                      static_cast<int>(k_sha1_start[2]), static_cast<int>(k_sha1_start[3]));
  const __m128i start_e = _mm_set_epi32(static_cast<int>(k_sha1_start[4]), 0, 0, 0);
  const __m128i none = _mm_setzero_si128(), length = _mm_set_epi32(0, 0, 0, k_bits);

  sha1_extension_lane a{start, start_e, _mm_unpacklo_epi64(low32, low10), _mm_unpacklo_epi64(mark, low54),
                        none,  length};
  sha1_extension_lane b{start, start_e, _mm_unpackhi_epi64(low32, low10), _mm_unpackhi_epi64(mark, low54),
                        none,  length};
  sha1_extension_lane c{start, start_e, _mm_unpacklo_epi64(high32, high10), _mm_unpacklo_epi64(mark, high54),
                        none,  length};
  sha1_extension_lane d{start, start_e, _mm_unpackhi_epi64(high32, high10), _mm_unpackhi_epi64(mark, high54),
                        none,  length};
  side_by_side(a, b, c, d);

  const __m128i sum_a = _mm_add_epi32(a.abcd, start), sum_b = _mm_add_epi32(b.abcd, start);
  const __m128i sum_c = _mm_add_epi32(c.abcd, start), sum_d = _mm_add_epi32(d.abcd, start);
  const __m128i ab_low = _mm_unpacklo_epi32(sum_a, sum_b), cd_low = _mm_unpacklo_epi32(sum_c, sum_d);
  const __m128i ab_high = _mm_unpackhi_epi32(sum_a, sum_b), cd_high = _mm_unpackhi_epi32(sum_c, sum_d);
  const __m128i ab_e =
      _mm_unpackhi_epi32(_mm_sha1nexte_epu32(a.before, start_e), _mm_sha1nexte_epu32(b.before, start_e));
  const __m128i cd_e =
      _mm_unpackhi_epi32(_mm_sha1nexte_epu32(c.before, start_e), _mm_sha1nexte_epu32(d.before, start_e));
  const __m128i out[5] = {_mm_unpackhi_epi64(ab_high, cd_high), _mm_unpacklo_epi64(ab_high, cd_high),
                          _mm_unpackhi_epi64(ab_low, cd_low), _mm_unpacklo_epi64(ab_low, cd_low),
                          _mm_unpackhi_epi64(ab_e, cd_e)};
  for (unsigned t = 0; t < 5; ++t) _mm_store_si128(reinterpret_cast<__m128i*>(&batch.out[t][lane]), out[t]);
}

}  // namespace gossamer::kernels

#undef GOSSAMER_SHA

#endif
