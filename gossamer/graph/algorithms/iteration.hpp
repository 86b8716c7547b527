#pragma once
// Shared by iterative algorithms: when they stop, and the statistics of a run.

#include <cstdint>

namespace gossamer::graph {

/// When an iteration stops.
struct iteration_limits {
  double tolerance = 1e-6;  ///< stops when the sum of the changes of all values is below this
  std::uint64_t max_iterations = 1000;  ///< stops after this many iterations at the latest
};

/// Statistics of an iteration.
struct iteration_result {
  std::uint64_t iterations = 0;  ///< number of iterations
  double change = 0;  ///< sum of the changes of all values in the last iteration
  bool converged = false;  ///< change < tolerance
  double seconds = 0;  ///< of the algorithm alone
};

}  // namespace gossamer::graph
