#pragma once
// Determines the memory that each process may take for a sort.

#include <algorithm>
#include <cstdint>

#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/sort_lines.hpp"

namespace gossamer::sorting {

/// Returns how many bytes a process may take; 0: as many as it needs. Returns the requested number, if there
/// is one. Otherwise returns 0 if every process has the `needed` bytes available, and half of the smallest
/// available memory if not. By the main fiber; suspends.
inline std::uint64_t memory_to_sort(const sort_lines_options& options, std::uint64_t needed) {
  if (options.memory_bytes != 0) return std::max(options.memory_bytes, sort_lines_options::k_least_memory);
  const scoped_per_process<std::uint64_t> least;
  on_all_processes([least = least.handle()] {
    least.here() = std::ranges::min(all_gather_processes(machine::available_memory()));
  });
  const std::uint64_t available = least.here();
  return needed <= available ? 0 : std::max(available / 2, sort_lines_options::k_least_memory);
}

}  // namespace gossamer::sorting
