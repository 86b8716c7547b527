#pragma once
// The use of the bits of a hash. The highest choose a partition, those below a bucket of it, the lowest a
// slot.
//
//   hash   | partition (18 bits) | bucket of level 0 (6) | level 1 (6) | level 2 | level 3 | slots of a container |
//
// A bucket is a set of keys of a partition. If the partition does not fit the memory, its buckets are joined
// one by one. A bucket that does not fit either is divided by the bits of the next level.

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace gossamer::mapreduce {

/// The lowest bit of a hash that chooses the partition; buckets and containers use the bits below.
inline constexpr unsigned k_partition_shift = 46;

/// Returns the partition of a key, from bits of its hash that containers do not use.
inline std::size_t partition_of(std::uint64_t hash, std::uint64_t partitions) {
  return ((hash >> k_partition_shift) * partitions) >> (64 - k_partition_shift);
}

/// A user's hash that also chooses the partition of a key: hash.partition(key, partitions), less than their number.
template <class Hash, class Key>
concept partitioning_hash = requires(const Hash& hash, const Key& key, std::uint64_t n) {
  { hash.partition(key, n) } -> std::convertible_to<std::uint64_t>;
};
/// Throws gossamer::error: a user's hash has returned an invalid partition.
[[noreturn, gnu::cold]] void refuse_partition(std::uint64_t found, std::uint64_t partitions);

/// Returns the partition of a stored key, given its hash: by the user's function, or by bits of the hash.
template <class Traits, class Hash>
std::size_t partition_of_key(const Hash& hash, const typename Traits::stored& key, std::uint64_t code,
                             std::uint64_t partitions) {
  if constexpr (partitioning_hash<Hash, decltype(Traits::view(key))>) {
    const std::uint64_t chosen = hash.partition(Traits::view(key), partitions);
    if (chosen >= partitions) [[unlikely]]
      refuse_partition(chosen, partitions);
    return chosen;
  } else {
    return partition_of(code, partitions);
  }
}

inline constexpr unsigned k_bucket_bits = 6, k_buckets = 1U << k_bucket_bits;
/// From this level on the bits would overlap those of a container's slots. So a bucket that does not fit
/// exceeds the limit.
inline constexpr unsigned k_bucket_levels = 4;

/// Returns the bucket of a key.
inline std::size_t bucket_of(std::uint64_t hash, unsigned level) {
  return (hash >> (k_partition_shift - (level + 1) * k_bucket_bits)) & (k_buckets - 1);
}

}  // namespace gossamer::mapreduce
