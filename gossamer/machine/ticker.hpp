#pragma once
// Calls a function at intervals, on a thread of its own, until destroyed: what has to happen while everything
// else computes. Intervals are counted, not measured: after a machine has slept the next call comes once. A paused ticker sleeps until
// resume(), and takes no processor time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "gossamer/machine/thread.hpp"

namespace gossamer::machine {

class ticker {
 public:
  /// `each` is given the ticker, which may not be known otherwise yet.
  ticker(std::string name, std::uint64_t interval_ns, std::function<void(ticker&)> each);
  /// Waits for a call that is under way.
  ~ticker();
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;

  /// Sets how long the next calls are apart. By the function itself.
  void set_interval(std::uint64_t ns) { interval_ns_ = ns; }
  /// Stops the calls until resume(). By the function itself.
  void pause();
  /// Goes on where the ticker is paused. Any thread. Costs a load, or a system call where it is.
  void resume();

 private:
  static constexpr std::uint32_t k_runs = 0, k_paused = 1, k_stopped = 2;

  void run(const std::function<void(ticker&)>& each);

  std::uint64_t interval_ns_;  // read and written by the thread, once it runs
  std::atomic<std::uint32_t> state_{
      k_runs};  // seq_cst in pause() and resume(), for callers that look at something else behind it
  thread thread_;
};

}  // namespace gossamer::machine
