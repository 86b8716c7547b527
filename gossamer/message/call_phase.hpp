#pragma once
// What the call is at that a job runs for a host program (host/runtime.hpp), and whether it is to end early. The host's
// main fiber begins and ends calls, any thread or signal handler interrupts the one that runs, loops of all cores look.
//
//   none -> running -> none                  a call
//           running -> interrupted -> none   a call that was interrupted

#include <atomic>
#include <cstdint>

namespace gossamer::message {

class call_phase {
 public:
  void begin() noexcept { phase_.store(k_running, std::memory_order_relaxed); }
  void end() noexcept { phase_.store(k_none, std::memory_order_relaxed); }
  /// Interrupts the call that runs. Returns false where none does, or where it has been interrupted before. Any thread;
  /// async-signal-safe.
  bool interrupt() noexcept {
    std::uint32_t expected = k_running;
    return phase_.compare_exchange_strong(expected, k_interrupted, std::memory_order_relaxed);
  }
  bool interrupted() const noexcept { return phase_.load(std::memory_order_relaxed) == k_interrupted; }

 private:
  static constexpr std::uint32_t k_none = 0, k_running = 1, k_interrupted = 2;
  std::atomic<std::uint32_t> phase_{k_none};  // relaxed: it orders nothing
};

}  // namespace gossamer::message
