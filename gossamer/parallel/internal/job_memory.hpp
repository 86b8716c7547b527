#pragma once
// Predicts the memory that a job takes at its start, so that a job that does not fit is refused with a
// one-line error instead of being killed. Linear in cores. Memory that the program takes later is checked at
// each allocation: arrays and graphs (machine::require_memory()), stacks of further fibers and further
// packets (machine::may_take()), and `pair` bytes for each pair of cores that exchange packets.
//
// Per core: its scheduler, endpoint and thread; first pages of lanes, send buffers and stacks; initial
// packets and fibers.

#include <cstdint>

#include "gossamer/parallel/job.hpp"

namespace gossamer::parallel {

struct job_memory {
  std::uint64_t program = 0;  // bytes, once per program
  std::uint64_t process = 0;  // for each process of the program: one, or the simulated ones
  std::uint64_t core = 0;  // for each of its cores
  std::uint64_t pair = 0;  // for two cores of one process, from the first message on, without packets

  /// Returns the bytes that a program takes at its start. The program is one process with so many cores, or
  /// simulates several.
  std::uint64_t at_start(unsigned cores, unsigned simulated_processes = 1) const {
    return program + (process + core * cores) * simulated_processes;
  }
};

/// Predicts the memory of a job. `processes` is the number of processes of the whole job.
job_memory memory_of(const job_options& o, unsigned processes);

/// Returns whether to check the available memory, which takes ~0.5 ms. Small jobs on a machine without
/// GOSSAMER_MEMORY_LIMIT skip it.
bool is_worth_asking(std::uint64_t bytes);

}  // namespace gossamer::parallel
