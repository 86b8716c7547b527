#pragma once
// UTS-mem by blocking reads, the form of the Grappa paper's figures: a task goes over vertices of one depth that lie side by side, of which each
// read brings as many as its cache of children holds, and waits for them; tasks are started for their children. Families of siblings lie side by
// side as a rule: a read brings several. A study: kernels::uts_memory::traverse() sends the traversal to
// where the vertices are.

#include <cstdint>

#include "gossamer/kernels/uts_memory.hpp"

namespace gossamer::studies {

struct uts_reads_options {
  /// Most siblings and cousins that one read brings, 1 to k_largest_cache.
  std::uint64_t children_cache = 8;
  /// Idle cores may take tasks; else all of them stay where the root is read.
  bool stealable = true;

  static constexpr std::uint64_t k_largest_cache = 32;
  /// As many vertices of the tree should lie together (uts_memory::block()): a read ends where they end.
  static constexpr std::uint64_t k_block = 32;
};

/// Visits every vertex of a tree that was built, from the root. By the main fiber; all cores work where tasks are stealable. What lies in
/// the own process is prefetched and read in place, while other fibers run; each read from another process is a message there and one
/// back.
kernels::uts_result traverse_by_reads(const kernels::uts_memory& memory,
                                      const uts_reads_options& options = {});

}  // namespace gossamer::studies
