#pragma once
// Radix sorts in place ("American flag sort"; P. M. McIlroy, K. Bostic and M. D. McIlroy, "Engineering radix sort",
// Computing Systems 6, 1993): of pairs by their hashes, and of 32-bit keys. Hashes are sorted rather than bytes of keys, so keys of any
// type are grouped, and equal keys may differ in bytes.

#include <cstdint>
#include <span>
#include <vector>

namespace gossamer::sorting {

/// A reference to a pair, and the hash of its key.
struct hashed_pair {
  std::uint64_t hash;
  const void* pair;
};

/// Sorts by hash, in an order of hashes that is the same everywhere. Computes only; O(1) additional memory.
/// Costs a pass over the pairs for each byte of the hash, until 32 or fewer agree in all bytes seen.
void sort_by_hash(std::vector<hashed_pair>& pairs);

/// Sorts keys ascending. Computes only; allocates 65,536 keys at most. Costs about 4 ns per key, and 4 more
/// for each digit by which larger inputs are divided first.
void radix_sort(std::span<std::uint32_t> keys);

}  // namespace gossamer::sorting
