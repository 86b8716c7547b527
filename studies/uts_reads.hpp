#pragma once
// UTS-mem by blocking reads, as in the figures of the Grappa paper. A task visits adjacent vertices of one
// depth. Each read fetches as many as the children cache holds, and the task waits for them; it starts tasks
// for their children. Families of siblings are mostly adjacent, so one read fetches several. A study;
// kernels::uts_memory::traverse() sends the traversal to the owners of the vertices.

#include <cstdint>

#include "gossamer/kernels/uts_memory.hpp"

namespace gossamer::studies {

struct uts_reads_options {
  /// Most siblings and cousins that one read fetches, 1 to k_largest_cache.
  std::uint64_t children_cache = 8;
  /// Idle cores may take tasks; else all tasks run on the core that reads the root.
  bool stealable = true;

  static constexpr std::uint64_t k_largest_cache = 32;
  /// The recommended uts_memory::block(): a read does not extend beyond a block.
  static constexpr std::uint64_t k_block = 32;
};

/// Visits every vertex of a built tree, from the root. By the main fiber; all cores work if tasks are
/// stealable. Vertices of the own process are prefetched and read in place, while other fibers run. Each read
/// from another process is a request and a reply.
kernels::uts_result traverse_by_reads(const kernels::uts_memory& memory,
                                      const uts_reads_options& options = {});

}  // namespace gossamer::studies
