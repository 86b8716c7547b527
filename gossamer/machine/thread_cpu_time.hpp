#pragma once
// The time that this thread has computed, in processor ticks, without the time that other threads had its
// processor. Costs a read of the counter; makes a system call only after a gap in which another thread may
// have run. One thread; construct it outside of simulated code.

#include <cstdint>

#include "gossamer/machine/clock.hpp"

namespace gossamer::machine {

class thread_cpu_time {
 public:
  thread_cpu_time();

  /// Returns ticks since some fixed point; never decreases. Gaps of up to 20 us count as computing.
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
  std::uint64_t asked_, used_ns_;  // last system call, and its result
};

}  // namespace gossamer::machine
