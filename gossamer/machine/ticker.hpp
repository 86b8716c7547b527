#pragma once
// Calls a function at intervals, on its own thread, until destroyed: for what must happen while all cores
// compute. After the machine was suspended, only one call is made. A paused ticker sleeps until resume(), and
// takes no processor time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "gossamer/machine/thread.hpp"

namespace gossamer::machine {

class ticker {
 public:
  /// `each` gets the ticker as its argument, because the caller may not have its address yet.
  ticker(std::string name, std::uint64_t interval_ns, std::function<void(ticker&)> each);
  /// Waits for a running call.
  ~ticker();
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;

  /// Sets the interval before the next calls. Called by the function itself.
  void set_interval(std::uint64_t ns) { interval_ns_ = ns; }
  /// Stops the calls until resume(). Called by the function itself.
  void pause();
  /// Restarts a paused ticker. Any thread. Costs a load, or a system call if it is paused.
  void resume();

 private:
  static constexpr std::uint32_t k_runs = 0, k_paused = 1, k_stopped = 2;

  void run(const std::function<void(ticker&)>& each);

  std::uint64_t interval_ns_;  // read and written by the thread, once it runs
  std::atomic<std::uint32_t> state_{
      k_runs};  // seq_cst in pause() and resume(), for callers that read something else afterwards
  thread thread_;
};

}  // namespace gossamer::machine
