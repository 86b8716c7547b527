#pragma once
// Takes what every core has counted at the beginning of each phase of a run, for explain(). Main fiber. A phase costs a call to every
// core, all of them under way together. Nothing is taken while a phase goes on.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/parallel/explain.hpp"

namespace gossamer {

/// The phases of a run, taken while it goes on.
class run_recorder {
 public:
  /// Begins a phase; the one before it ends. What follows begin("") belongs to no phase. Does nothing where the same phase goes on, and
  /// where there have been very many. Suspends.
  void begin(std::string_view phase);
  /// Ends the last phase. Suspends.
  void end() { begin(""); }

  /// Returns what was taken, and what the caller has added.
  run_record& record() { return record_; }

 private:
  /// What a core has counted up to a moment of its own clock.
  struct moment {
    std::uint64_t at_ns = 0, cpu_ns = 0;
    counters count;
  };
  static std::vector<moment> now();

  run_record record_;
  std::string phase_;  // that is under way; empty: none
  std::vector<moment> began_;
};

}  // namespace gossamer
