#pragma once
// The elements of a global array as the input of a MapReduce job.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// An element of an array in place. Converts to const T&.
template <class T>
struct array_element {
  std::uint64_t index;  ///< in the array
  const T& value;  ///< valid only while the map function runs

  /// Returns the element. Implicit, because many map functions need only the value.
  operator const T&() const { return value; }
};

/// An input that consists of a global array of any distribution. Each core maps the elements that it owns, in
/// place. The array must not be written meanwhile.
template <class T>
class array_input {
 public:
  /// The argument of the map function: an index and the element.
  using element = array_element<T>;

  /// The blocks of the cores of a process.
  class block {
   public:
    /// Returns the number of tasks of this process; a task is a chunk of a core's elements.
    std::uint64_t tasks() const { return begin_.back(); }
    /// Returns the first task of core number c of this process. Only that core runs its tasks.
    std::uint64_t core_begin(unsigned c) const { return begin_[c]; }
    /// Calls f for each element of a task of this core.
    template <class F>
    void run(std::uint64_t task, F f) const {
      const std::span<const T> mine = over_.local();
      const std::uint64_t from = (task - begin_[here() - first_core(process())]) * k_grain;
      const std::uint64_t to = std::min<std::uint64_t>(mine.size(), from + k_grain);
      over_.local_runs(from, to, [&](std::uint64_t k, std::uint64_t end, std::uint64_t index) {
        for (; k < end; ++k, ++index) f(element{index, mine[k]});
      });
    }

   private:
    friend class array_input;
    static constexpr std::uint64_t k_grain = 4096;
    array<T> over_;
    std::vector<std::uint64_t> begin_ = {0};  // by core of this process; the last entry is the end
  };

  /// Makes the elements of an array the input.
  explicit array_input(array<T> over) : over_(over) { over_.check("array_input"); }

  /// Assigns each core its elements. By one fiber; suspends.
  void open(per_process<block> blocks) const {
    on_all_processes([blocks, over = over_] {
      blocks.here().over_ = over;
      blocks.here().begin_.assign(cores_per_process() + 1, 0);
    });
    on_all_cores([blocks, over = over_] {
      blocks.here().begin_[here() - first_core(process()) + 1] =
          (over.local().size() + block::k_grain - 1) / block::k_grain;
    });
    on_all_processes([blocks] {
      std::vector<std::uint64_t>& begin = blocks.here().begin_;
      for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
    });
  }

 private:
  array<T> over_;
};

}  // namespace gossamer
