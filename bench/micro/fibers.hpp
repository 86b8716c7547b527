#pragma once
// Jobs for the benches of fibers: cores with room for so many fibers of each stack class.

#include <cstdint>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"
#include "micro/cases.hpp"

namespace gossamer::bench {

/// What a waiting fiber takes at most: its page, page tables, its place in the ready ring.
inline constexpr std::uint64_t k_fiber_bytes = 4600;

/// Returns small stacks from k_small_stacks_from fibers on.
inline stack_class stacks_for(std::uint64_t fibers) {
  return fibers >= k_small_stacks_from ? stack_class::small : stack_class::regular;
}

inline job_options fiber_job(unsigned cores, std::uint64_t fibers) {
  job_options o;
  o.cores = cores;
  (stacks_for(fibers) == stack_class::small ? o.small_fibers : o.fibers) = fibers + 64;  // and workers
  return o;
}

inline fiber::scheduler& this_core() { return *fiber::scheduler::current(); }

}  // namespace gossamer::bench
