#pragma once
// The job that an owner of its memory belongs to. Owners (scoped arrays and structures, handles of fibers) may outlive
// their job, or be destroyed inside a later one. What lay on its cores, on the stacks of its fibers and at the addresses
// that its processes had in common is gone then, and other things may lie there: they must not touch it.

#include <cstdint>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

class owning_job {
 public:
  /// The job of the calling core; outside of a job none.
  owning_job() : number_(current()) {}

  /// Returns whether the calling thread is a core of the job. So it is false when the job has ended.
  bool runs_here() const { return number_ != 0 && number_ == current(); }

 private:
  static std::uint64_t current() {
    const scheduler* const core = scheduler::current();
    return core != nullptr ? core->job() : 0;
  }

  std::uint64_t number_;
};

}  // namespace gossamer::fiber
