#pragma once
// Records the counters of every core at the beginning of each phase of a run, for explain(). By the main fiber. A phase costs a
// call to every core; these calls overlap. Nothing is recorded while a phase is running.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/parallel/explain.hpp"

namespace gossamer {

/// The recorder of the phases of a run.
class run_recorder {
 public:
  /// Begins a phase, and ends the one before, which is added to the record's phase of that name. After begin("") no phase
  /// is running. Does nothing if the same phase is running. After some 200 names, phases of other names are recorded as one,
  /// "further phases". Suspends.
  void begin(std::string_view phase);
  /// Ends the last phase. Suspends.
  void end() { begin(""); }

  /// Returns the record, including what the caller has added.
  run_record& record() { return record_; }

 private:
  /// The counters of a core at a point in time, by its own clock.
  struct moment {
    std::uint64_t at_ns = 0, cpu_ns = 0;
    counters count;
  };
  static std::vector<moment> now();
  std::string_view name_in_record(std::string_view phase) const;
  phase_record difference(const std::vector<moment>& at) const;

  run_record record_;
  std::string phase_;  // the running phase; empty: none
  std::vector<moment> began_;
};

}  // namespace gossamer
