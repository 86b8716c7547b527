#pragma once
// What a job takes before its program has done anything, predicted: so that a job which does not fit is
// refused with a line instead of being killed. Linear in cores. What a program takes comes on top and is
// asked for where it is taken: arrays and graphs (machine::require_memory()), stacks of further fibers and
// further packets (machine::may_take()), and for each pair of cores that exchange packets `pair` bytes.
//
// Per core: its scheduler, endpoint and thread; first pages of lanes, send buffers and stacks; the packets and
// fibers of a job that has just begun.

#include <cstdint>

#include "gossamer/parallel/job.hpp"

namespace gossamer::parallel {

struct job_memory {
  std::uint64_t program = 0;  // bytes, once
  std::uint64_t process = 0;  // of each process in it: one, or simulated ones
  std::uint64_t core = 0;  // of each of its cores
  std::uint64_t pair = 0;  // of two cores of one process, when one first sends to the other, without packets

  /// Returns the bytes that a program takes at its start. It is one process of so many cores, or simulates
  /// several.
  std::uint64_t at_start(unsigned cores, unsigned simulated_processes = 1) const {
    return program + (process + core * cores) * simulated_processes;
  }
};

/// Predicts the memory of a job. `processes` counts those of the whole job.
job_memory memory_of(const job_options& o, unsigned processes);

/// Returns whether to look at the memory that is left, which takes ~0.5 ms. Small jobs on a machine without
/// GOSSAMER_MEMORY_LIMIT skip it.
bool is_worth_asking(std::uint64_t bytes);

}  // namespace gossamer::parallel
