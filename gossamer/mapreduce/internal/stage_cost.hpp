#pragma once
// The costs that a simulation charges for the stages of MapReduce (charge_work(), parallel/fiber.hpp):
// nanoseconds per pair, fitted to the word count of `tools/mapreduce --real` on one core
// (docs/performance/mapreduce.md). A map function that computes more than is needed to cut out a word
// declares that itself. Emissions of dense keys are not charged: their map functions declare all that they
// compute.

#include <bit>
#include <cstdint>

#include "gossamer/parallel/fiber.hpp"

namespace gossamer::mapreduce {

inline constexpr std::uint64_t k_map_pair_ns = 14;  // emitted, and combined or appended to a list
inline constexpr std::uint64_t k_join_pair_ns = 29;  // of another core's container
inline constexpr std::uint64_t k_settle_pair_ns = 12;  // of a bucket
inline constexpr std::uint64_t k_copy_pair_ns = 10;  // serialized to be sent, or added after it was received
inline constexpr std::uint64_t k_group_pair_ns = 44;  // sorted by its hash and combined with equal keys
inline constexpr std::uint64_t k_reduce_pair_ns = 7;
inline constexpr std::uint64_t k_sort_pair_ps = 3'600;  // by comparison, for each level of halving
inline constexpr std::uint64_t k_merge_pair_ps = 14'000;  // by comparison, for each level of halving the runs
inline constexpr std::uint64_t k_own_pair_ns = 12;  // copied with its key
inline constexpr std::uint64_t k_sort_entry_ps = 1'000;  // by vector instructions, for each level of halving
inline constexpr std::uint64_t k_merge_entry_ps = 2'400;

inline void charge_pairs(std::uint64_t pairs, std::uint64_t ns) { charge_work(pairs * ns); }
/// Charges `ps` picoseconds for each pair and each level of halving `ways`.
inline void charge_levels(std::uint64_t pairs, std::uint64_t ways, std::uint64_t ps) {
  charge_work(pairs * std::bit_width(ways) * ps / 1000);
}
inline void charge_sort(std::uint64_t pairs) { charge_levels(pairs, pairs, k_sort_pair_ps); }

}  // namespace gossamer::mapreduce
