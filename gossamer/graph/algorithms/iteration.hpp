#pragma once
// What iterations have in common: when they stop, and how one went.

#include <cstdint>

namespace gossamer::graph {

/// When an iteration stops.
struct iteration_limits {
  double tolerance = 1e-6;  ///< stops when the values change less than this in sum
  std::uint64_t max_iterations = 1000;  ///< stops after so many at the latest
};

/// How an iteration went.
struct iteration_result {
  std::uint64_t iterations = 0;  ///< how many were made
  double change = 0;  ///< the sum of the changes of all values in the last one
  bool converged = false;  ///< change < tolerance
  double seconds = 0;  ///< of the algorithm alone
};

}  // namespace gossamer::graph
