#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::mapreduce {

std::size_t memory_bound::block_bytes() const {
  constexpr std::uint64_t k_least = 2 << 10, k_most = 64 << 10;
  return std::clamp<std::uint64_t>(share / (16 * k_buckets), k_least, k_most);
}

memory_bound bound_of(std::uint64_t memory_bytes, std::uint64_t shares, const std::string& scratch,
                      std::size_t slot_bytes) {
  if (memory_bytes == 0) return {};
  constexpr std::uint64_t k_least_room = 64 << 10, k_least_slots = 4 * 64;
  const std::uint64_t least =
      shares * cores_per_process() * (k_least_room + cores() * k_least_slots * slot_bytes);
  if (memory_bytes < least)
    throw error(fmt::format("expected memory (--memory, memory_bytes) of at least {} for {} cores, found {}",
                            format_bytes(least), cores_per_process(), format_bytes(memory_bytes)));
  return {memory_bytes / shares / cores_per_process(),
          scratch.empty() ? machine::usual_scratch_folder() : scratch,
          {},
          0};
}

}  // namespace gossamer::mapreduce
