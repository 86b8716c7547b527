#pragma once
// What the program is doing, for the person at the terminal: one rewritten line on a terminal, now and then a
// plain line elsewhere, and nothing for steps that end at once. A thread of its own looks at the
// current step, so a step that reports nothing is still shown with its seconds.
//
//   field            written by        read by      protected by
//   step_, bytes_, …  main fiber        the watcher  mutex_
//   done_, total_    main fiber        the watcher  atomics, only for show
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

/// Returns the line of a step: "counting … 42 %, 210 MiB/s, 1.3 s, 2 s left". `total` 0: how far it is is not known. `bytes`: of the input of
/// the whole step; 0: not known. The first second says no time that is left.
std::string progress_line(std::string_view step, double seconds, int decimals, std::uint64_t done,
                          std::uint64_t total, std::uint64_t bytes);

class progress {
 public:
  /// Silent when `quiet`; then there is no thread either.
  explicit progress(bool quiet);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Begins a step; the one before it is over. `bytes`: of the input that it goes through, for its rate; 0: none is shown.
  void step(std::string_view what, std::uint64_t bytes = 0);
  /// Sets how far the step is; `total` is 0 where that is not known. Two stores.
  void at(std::uint64_t done, std::uint64_t total) noexcept;
  /// Ends the step; the line on the terminal disappears. Call before printing results.
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
  double next_line_s_ = 0;  // plain lines: when the next one is due, in seconds of the step
  std::string shown_;  // on the terminal at this moment
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
  std::jthread watcher_;  // last: stops before what it uses goes
};

}  // namespace gossamer::cli
