#pragma once
// SHA-1 (FIPS 180-4) for trees: many independent hashes of one block each. The input is 24 bytes, a parent's
// digest and a child's number (unbalanced tree search, uts.hpp). Computes sixteen at once: by the processor's
// SHA instructions, in vectors of 16 or 8 lanes, or in plain vectors of 4, whichever is fastest on this
// processor. All give the same bits. Not for secrets.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gossamer::kernels {

/// Five words, big-endian numbers as in FIPS 180-4.
using sha1_digest = std::array<std::uint32_t, 5>;

/// Returns the digest of any bytes. Portable, one block after the other.
sha1_digest sha1(std::span<const std::byte> bytes);

/// Sixteen hashes, word by word: lane k holds the words in[0..4][k] of the parent and the child's number
/// in[5][k]; afterwards out[0..4][k].
struct sha1_batch {
  static constexpr unsigned k_lanes = 16;
  /// A whole vector may be written at any lane: lanes beyond k_lanes are scratch.
  alignas(64) std::uint32_t in[6][2 * k_lanes];
  alignas(64) std::uint32_t out[5][k_lanes];

  /// Fills lanes from `lane` on with children first, first + 1, ... of `parent`, up to the end of the batch.
  /// The next parent overwrites the surplus lanes.
  void fill(unsigned lane, const sha1_digest& parent, std::uint32_t first) {
    using lanes = std::uint32_t __attribute__((vector_size(4 * k_lanes), aligned(4), may_alias));
    constexpr lanes k_count = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (unsigned w = 0; w < 5; ++w) *reinterpret_cast<lanes*>(&in[w][lane]) = lanes{} + parent[w];
    *reinterpret_cast<lanes*>(&in[5][lane]) = k_count + first;
  }
  sha1_digest digest(unsigned lane) const {
    return {out[0][lane], out[1][lane], out[2][lane], out[3][lane], out[4][lane]};
  }
};

/// A method to hash a batch: at least its first `lanes`; the others then have any value.
struct sha1_method {
  std::string_view name;
  void (*hash)(sha1_batch& batch, unsigned lanes);
};

/// Returns the methods that this processor supports, the fastest first, the portable one last.
std::span<const sha1_method> sha1_methods();

}  // namespace gossamer::kernels
