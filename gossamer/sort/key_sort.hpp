#pragma once
// Sorts unsigned keys on one core, in place, ascending, with vector instructions if the processor has them.

#include <cstdint>
#include <span>

namespace gossamer::sorting {

/// Sorts the keys. Computes only; allocates 65,536 keys at most. Costs about 0.7 ns for each key and each
/// level of halving with 256-bit vectors (64-bit keys), and one pass if they are sorted already, or in
/// reverse.
void sort_keys(std::span<std::uint32_t> keys);
void sort_keys(std::span<std::uint64_t> keys);

/// A key of 128 bits in the layout of the vector sort: `high` is compared first.
struct alignas(16) wide_key {
  std::uint64_t low, high;
};

/// Does the same for keys of 128 bits, at about twice the cost.
void sort_keys(std::span<wide_key> keys);

}  // namespace gossamer::sorting
