#pragma once
// Jobs for the benches of fibers: one core and many fibers, started from the main fiber.

#include <cstdint>

#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::bench {

/// What N fibers need, at least a page each of stack and page tables.
inline constexpr std::uint64_t k_fiber_bytes = 4600;

inline job_options fiber_job(unsigned cores, std::uint64_t fibers, std::size_t stack_bytes) {
  job_options o;
  o.cores = cores;
  o.fibers = fibers + 16;  // and workers
  o.stack_bytes = stack_bytes;
  return o;
}

inline fiber::scheduler& this_core() { return *fiber::scheduler::current(); }

/// Starts Body(argument) in a fiber of this core.
template <auto Body, class T>
fiber::fiber& start_fiber(T& argument) {
  fiber::fiber* f = this_core().start([](void* a) { Body(*static_cast<T*>(a)); }, &argument, "bench",
                                      fiber::stack_class::regular);
  GOSSAMER_ASSERT(f != nullptr, "a bench has more fibers than it asked for");
  return *f;
}

}  // namespace gossamer::bench
