#pragma once
// Bounds the turns of cores in time. A thread looks at the number of each core's turn at intervals. A core that it finds in the same
// turn twice, while fibers run there, has its turn cut (scheduler::cut_turn()): so a turn lasts two intervals at most, and what runs
// then. Switches and tasks pay nothing for that. While all cores idle, or are in turns that it has cut, the thread sleeps.
//
//   field          writes                  reads          protected by
//   turn numbers   each core its own       the watch      hints, seq_cst for `paused`: a turn that ends meanwhile is cut for nothing
//   late, cuts     the watch               the core       relaxed: hints
//   paused         the watch, any core     both           seq_cst: pause() then a look at the turns; a new turn, then resume()

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/machine/ticker.hpp"

namespace gossamer::fiber {

class scheduler;

class turn_watch {
 public:
  static constexpr std::uint64_t k_interval_ns = 400'000;

  explicit turn_watch(std::vector<scheduler*> cores);

  /// Starts the thread, which calls tick(). The cores live until the watch is destroyed. `cores_per_processor`: so many take turns at
  /// one; intervals are as many times longer, so that the watches of all processes together take the same part of it.
  void start(unsigned cores_per_processor = 1);
  /// Cuts the turns that were under way at the last call and still are. Pauses the ticker that calls it where there has been no turn.
  void tick(machine::ticker* by = nullptr);
  /// Goes on watching where the watch has paused. By a core that has idled for long, when it has begun a turn, and by one whose turn was
  /// cut, when it begins the next (seq_cst).
  void resume();
  /// Returns whether the last tick() has paused the watch. Any thread.
  bool pauses() const { return quiet_.load(std::memory_order_relaxed) == k_quiet; }

 private:
  static constexpr unsigned k_quiet = 8;  // ticks without a new turn, after which the watch pauses

  bool any_turn();

  const std::vector<scheduler*> cores_;
  std::vector<std::uint64_t> seen_;  // turns, by core
  std::atomic<unsigned> quiet_{0};  // ticks; written by the thread that ticks
  std::optional<machine::ticker> ticker_;
};

}  // namespace gossamer::fiber
