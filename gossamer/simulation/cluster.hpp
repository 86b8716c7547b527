#pragma once
// Runs a simulated cluster: processes that all run the same function, on the calling thread.

#include <cstdint>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

/// Statistics of a run. Equal for equal options and program, unless computing time is measured.
struct outcome {
  std::uint64_t virtual_ns = 0;  // end of the last process
  std::uint64_t steps = 0;       // times that a context was resumed
  std::uint64_t moves = 0;       // times that the memory of another process was mapped
  std::uint64_t digest = 0;      // of the schedule and of all choices
};

/// Runs body(process) in every process and returns when all have ended. Rethrows the exception of process 0,
/// else that of the first other process. Throws gossamer::error, with process and time, if the run itself
/// failed: no context could continue, or one ended the job. Then objects of unfinished code are leaked. Not
/// inside a simulation.
outcome run(const options& o, function_ref<void(unsigned process)> body);

}  // namespace gossamer::simulation
