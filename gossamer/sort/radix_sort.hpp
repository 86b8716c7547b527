#pragma once
// Radix sorts in place ("American flag sort"; P. M. McIlroy, K. Bostic and M. D. McIlroy, "Engineering radix sort",
// Computing Systems 6, 1993): of pairs by their hashes, and of 32-bit keys. Hashes are sorted rather than bytes of keys, so keys of any
// type are grouped, and equal keys may differ in bytes.

#include <cstdint>
#include <span>
#include <vector>

namespace gossamer::sorting {

/// A pair that lies elsewhere, and the hash of its key.
struct hashed_pair {
  std::uint64_t hash;
  const void* pair;
};

/// Sorts by hash, in some order of hashes that is the same everywhere. Computes only; O(1) further memory. Costs a
/// pass over the pairs for each byte of the hash, until 32 or fewer share what has been seen of it.
void sort_by_hash(std::vector<hashed_pair>& pairs);

/// Sorts keys ascending. Computes only; takes room for 65,536 keys at most. Costs about 4 ns a key, and 4 more for each digit by which more
/// keys than that are dealt first.
void radix_sort(std::span<std::uint32_t> keys);

}  // namespace gossamer::sorting
