#pragma once
// Bounds the time of turns. A thread reads the number of each core's turn at intervals. If a core is in the
// same turn at two checks, while fibers run there, the thread cuts the turn (scheduler::cut_turn()). So a
// turn lasts at most two intervals, plus the rest of the running fiber's work. Switches and tasks pay nothing
// for that. While all cores idle, or are in turns that were cut, the thread sleeps.
//
// A check interrupts a core (ADR 0048), so intervals are long, and short only while turns are cut:
//
//   k_most_interval_ns  --a cut-->  k_interval_ns  --k_calm checks without one-->  doubled, until it is k_most_interval_ns
//
//   field          writes                  reads          protected by
//   turn numbers   each core its own       the watch      hints, seq_cst for `paused`: a turn that ends meanwhile is cut in vain
//   late, cuts     the watch               the core       relaxed: hints
//   paused         the watch, any core     both           seq_cst: pause() then a check of the turns; a new turn, then resume()

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/machine/ticker.hpp"

namespace gossamer::fiber {

class scheduler;

class turn_watch {
 public:
  static constexpr std::uint64_t k_interval_ns = 400'000, k_most_interval_ns = 16 * k_interval_ns;

  explicit turn_watch(std::vector<scheduler*> cores);

  /// Starts the thread, which calls tick(). The cores must outlive the watch. `cores_per_processor`: cores that share a
  /// processor; intervals are multiplied by it, so that the watches of all processes together take the same part of a processor.
  void start(unsigned cores_per_processor = 1);
  /// Cuts the turns that were running at the last call and still are. Sets the time of the next call, and
  /// pauses the ticker if there has been no turn.
  void tick(machine::ticker* by = nullptr);
  /// Resumes watching if the watch has paused. Called by a core that has idled for long, when it has begun a turn, and by a core whose
  /// turn was cut, when it begins the next one (seq_cst).
  void resume();
  /// Returns whether the last tick() has paused the watch. Any thread.
  bool pauses() const { return quiet_.load(std::memory_order_relaxed) == k_quiet; }
  /// Returns the time until the next tick() is due, for one core per processor. By the thread that ticks.
  std::uint64_t interval_ns() const { return interval_ns_; }

 private:
  static constexpr unsigned k_quiet = 8;  // ticks without a new turn, after which the watch pauses
  static constexpr unsigned k_calm = 8;  // ticks without a cut, after which intervals double

  bool any_turn();
  void note_cut(bool any);

  const std::vector<scheduler*> cores_;
  std::vector<std::uint64_t> seen_;  // turns, by core
  std::atomic<unsigned> quiet_{0};  // ticks; written by the thread that ticks
  std::uint64_t interval_ns_ = k_most_interval_ns;
  unsigned calm_ = 0;  // ticks without a cut since interval_ns_ was set
  unsigned cores_per_processor_ = 1;
  std::optional<machine::ticker> ticker_;
};

}  // namespace gossamer::fiber
