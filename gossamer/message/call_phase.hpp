#pragma once
// The phase of the call that a job runs for a host program (host/runtime.hpp), and whether it is to end
// early. The host's main fiber begins and ends calls, any thread or signal handler interrupts the running
// call, and loops of all cores read the phase.
//
//   none -> running -> none                  a call
//           running -> interrupted -> none   a call that was interrupted; while a fiber holds the call, loops continue
//
// With several processes, each has one. The first core of process 0 that reads "interrupted" notifies the
// other processes, whose loops read their phase, too. The main fiber resets it after the call.

#include <atomic>
#include <cstdint>

namespace gossamer::message {

class call_phase {
 public:
  void begin() noexcept { phase_.store(k_running, std::memory_order_relaxed); }
  void end() noexcept {
    phase_.store(k_none, std::memory_order_relaxed);
    notified_.store(false, std::memory_order_relaxed);
  }
  /// Interrupts the running call. Returns false if none runs, or if it was interrupted before. Any thread;
  /// async-signal-safe.
  bool interrupt() noexcept {
    std::uint32_t expected = k_running;
    return phase_.compare_exchange_strong(expected, k_interrupted, std::memory_order_relaxed);
  }
  /// Applies the notification of process 0 that its call is interrupted. In the other processes.
  void follow() noexcept { phase_.store(k_interrupted, std::memory_order_relaxed); }
  /// Returns true for the first caller, which then notifies the other processes.
  bool first_to_notify() noexcept { return !notified_.exchange(true, std::memory_order_relaxed); }
  bool notified() const noexcept { return notified_.load(std::memory_order_relaxed); }
  /// Returns whether loops must end. False while a fiber holds the call.
  bool interrupted() const noexcept {
    return phase_.load(std::memory_order_relaxed) == k_interrupted &&
           holds_.load(std::memory_order_relaxed) == 0;
  }
  void hold() noexcept { holds_.fetch_add(1, std::memory_order_relaxed); }
  void let_go() noexcept { holds_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t k_none = 0, k_running = 1, k_interrupted = 2;
  std::atomic<std::uint32_t> phase_{k_none};  // relaxed: it orders nothing
  std::atomic<bool> notified_{false};
  std::atomic<std::uint32_t> holds_{0};  // by fibers of this process
};

}  // namespace gossamer::message
