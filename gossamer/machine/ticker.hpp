#pragma once
// Calls a function at intervals, on a thread of its own, until destroyed: what has to happen while everything
// else computes. Intervals are counted, not measured: after a machine has slept the next call comes once.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "gossamer/machine/thread.hpp"

namespace gossamer::machine {

class ticker {
 public:
  ticker(std::string name, std::uint64_t interval_ns, std::function<void()> each);
  /// Waits for a call that is under way.
  ~ticker();
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;

 private:
  std::atomic<std::uint32_t> stopped_{0};  // relaxed: a flag to sleep on
  thread thread_;
};

}  // namespace gossamer::machine
