#pragma once
// Time: nanoseconds for people, processor ticks for the inside of loops. Both never run backwards
// on one thread. Also the processor's "I am spinning" hint. In simulated code both are virtual time.

#include <chrono>
#include <cstdint>

#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {

/// Returns nanoseconds since some fixed point (steady clock). ~25 ns a call.
inline std::uint64_t now_ns() noexcept {
  if (auto* s = simulated()) [[unlikely]]
    return s->now_ns();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// Returns the seconds since a moment of now_ns().
inline double seconds_since(std::uint64_t start) noexcept {
  return static_cast<double>(now_ns() - start) * 1e-9;
}

/// Returns the processor's constant-rate counter, also in a simulation. Costs a few ns a call. The read is
/// not ordered with the instructions around it. Returns nanoseconds elsewhere than on x86-64 and AArch64.
inline std::uint64_t processor_ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <immintrin.h> costs 0.4 s to compile
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return now_ns();
#endif
}

/// Does the same as processor_ticks() for all other code: returns virtual nanoseconds in simulated code.
inline std::uint64_t ticks() noexcept {
  if (auto* s = simulated()) [[unlikely]]
    return s->now_ns();
  return processor_ticks();
}

/// Returns the rate of ticks(), at least 1. The first call measures it against now_ns() for about 2 ms: call
/// it once before the cores start.
std::uint64_t ticks_per_us() noexcept;

/// Hints to the processor that this is a spin loop: saves power, and gives resources to the sibling hardware
/// thread. In simulated code other threads run meanwhile.
inline void cpu_relax() noexcept {
  if (auto* s = simulated()) [[unlikely]]
    return s->look();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");  // `yield` is a no-op on most cores; isb waits ~10 ns
#endif
}

}  // namespace gossamer::machine
