#pragma once
// A simulated cluster, from beginning to end: processes that all run the same function, on the calling
// thread.

#include <cstdint>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

/// What there is to say of a run. The same for the same options and program, unless computing is measured.
struct outcome {
  std::uint64_t virtual_ns = 0;  // when the last one ended
  std::uint64_t steps = 0;       // times that a context went on
  std::uint64_t moves = 0;       // times that the memory of another process was brought in
  std::uint64_t digest = 0;      // of which context went on when, and of all choices
};

/// Runs body(process) in every process and returns when all have ended. Rethrows what process 0 threw, else
/// what the first other one threw; throws gossamer::error, with process and time, where the run itself
/// failed: no context could go on, or one ended the job. Objects of code that was under way then are left
/// behind. Not inside a simulation.
outcome run(const options& o, function_ref<void(unsigned process)> body);

}  // namespace gossamer::simulation
