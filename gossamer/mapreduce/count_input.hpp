#pragma once
// The numbers 0 to n - 1 as the input of a MapReduce job. Serves jobs that generate their input, or that map
// indices of global arrays.

#include <algorithm>
#include <cstdint>

#include "gossamer/base/bits.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// The numbers from 0 on, divided equally among the processes.
class count_input {
 public:
  /// The argument of the map function: a number.
  using element = std::uint64_t;

  /// The range of a process.
  class block {
   public:
    block() = default;
    /// Takes the numbers [begin, end), `grain` at a time.
    block(std::uint64_t begin, std::uint64_t end, std::uint64_t grain)
        : begin_(begin), end_(end), grain_(grain) {}

    /// Returns the number of tasks of this process; a task is a range of numbers.
    std::uint64_t tasks() const { return divide_up(end_ - begin_, grain_); }
    /// Calls f for each number of a task.
    template <class F>
    void run(std::uint64_t task, F f) const {
      std::uint64_t i = begin_ + task * grain_;
      for (const std::uint64_t last = i + std::min(grain_, end_ - i); i < last; ++i) f(i);
    }

   private:
    std::uint64_t begin_ = 0, end_ = 0, grain_ = 1;
  };

  /// Makes the numbers 0 to n - 1 the input. A task has `grain` numbers; use 1 if the work for each number is
  /// large.
  explicit count_input(std::uint64_t n, std::uint64_t grain = 4096)
      : n_(n), grain_(std::max<std::uint64_t>(1, grain)) {}

  /// Divides the numbers among all processes. By one fiber; suspends.
  void open(per_process<block> blocks) const {
    on_all_processes([blocks, n = n_, grain = grain_] {
      blocks.here() = block(parallel::block_begin(0, n, process(), processes()),
                            parallel::block_begin(0, n, process() + 1, processes()), grain);
    });
  }

 private:
  std::uint64_t n_, grain_;
};

}  // namespace gossamer
