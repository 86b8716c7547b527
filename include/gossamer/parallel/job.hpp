#pragma once
// STUB with the final interface.
#include <cstdint>
#include <thread>

#include "gossamer/memory/core_id.hpp"

namespace gossamer {

struct job_options {
  unsigned cores = 0;  // 0: the processors this process may use
  std::uint64_t seed = 1;
};

/// Starts the cores, runs `main` as the main fiber on core 0, returns when it and all its tasks are
/// done. Rethrows what main threw.
template <class F>
void run(const job_options& o, F main) {
  stub::n_cores = o.cores ? o.cores : std::thread::hardware_concurrency();
  main();
}

}  // namespace gossamer
