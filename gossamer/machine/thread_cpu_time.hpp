#pragma once
// How long this thread has really computed, in processor ticks: what it lost to others that had its processor
// meanwhile does not count. Costs a read of the counter; the operating system is asked only
// after a gap in which another thread may have run. One thread; made outside of simulated code.

#include <cstdint>

#include "gossamer/machine/clock.hpp"

namespace gossamer::machine {

class thread_cpu_time {
 public:
  thread_cpu_time();

  /// Returns ticks since some fixed point, never backwards. Gaps of up to 20 us count as computing.
  std::uint64_t read() noexcept {
    const std::uint64_t now = processor_ticks();
    if (now - read_ > long_gap_) [[unlikely]]
      find_lost(now);
    read_ = now;
    return now - lost_;
  }

 private:
  void find_lost(std::uint64_t now) noexcept;

  std::uint64_t per_us_, long_gap_;
  std::uint64_t read_, lost_ = 0;
  std::uint64_t asked_, used_ns_;  // when the system was asked last, and what it said
};

}  // namespace gossamer::machine
