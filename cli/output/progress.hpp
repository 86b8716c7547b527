#pragma once
// Shows the current step on standard error: one line that is rewritten on a terminal, elsewhere a plain line
// now and then. Short steps show nothing. A separate thread polls the current step, so that a step that
// reports nothing still shows its seconds.
//
//   field            written by        read by      protected by
//   step_, bytes_, … main fiber        the watcher  mutex_
//   done_, total_    main fiber        the watcher  relaxed atomics: they are only shown
//   shown_, next_…   the printer       the same     mutex_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace gossamer::cli {

/// Returns the line of a step: "counting … 42 %, 210 MiB/s, 1.3 s, 2 s left". `total` 0: the progress is
/// unknown. `bytes`: of the input of the whole step; 0: unknown. In the first second the line has no time
/// that is left.
std::string progress_line(std::string_view step, double seconds, int decimals, std::uint64_t done,
                          std::uint64_t total, std::uint64_t bytes);

class progress {
 public:
  /// Starts the thread, unless `quiet`.
  explicit progress(bool quiet);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Begins a step, and ends the one before. `bytes`: of the input that the step reads, for its rate; 0: no
  /// rate is shown.
  void step(std::string_view what, std::uint64_t bytes = 0);
  /// Sets the progress of the step; `total` is 0 if it is unknown. Two stores.
  void at(std::uint64_t done, std::uint64_t total) noexcept;
  /// Ends the step, and clears the line on the terminal. Call before printing results.
  void finish();

 private:
  using clock = std::chrono::steady_clock;

  void watch(const std::stop_token& stop);
  void show(clock::time_point now);
  void clear();
  std::string line(double seconds, int decimals) const {
    return progress_line(step_, seconds, decimals, done_.load(std::memory_order_relaxed),
                         total_.load(std::memory_order_relaxed), bytes_);
  }

  const bool terminal_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string step_;
  std::uint64_t bytes_ = 0;  // of its input
  clock::time_point started_;
  double next_line_s_ = 0;  // of plain lines: seconds of the step at which the next one is due
  std::string shown_;  // on the terminal at this moment
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
  std::jthread watcher_;  // last member: stops before the others are destroyed
};

}  // namespace gossamer::cli
