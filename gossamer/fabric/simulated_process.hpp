#pragma once
// A simulated process as the fabric sees it: what connects it with the others.

#include <cstddef>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

class simulated_process : public machine::simulated_system {
 public:
  /// Returns the transport between the processes; null where there is one process.
  virtual transport* between() noexcept = 0;

  /// Writes "process 3, at 12345 ns of virtual time (processes=4 seed=7)" for the report of a failed
  /// assertion; returns the bytes written.
  virtual std::size_t describe(char* buffer, std::size_t size) noexcept = 0;

  /// Ends the simulation with this failure: the job cannot go on.
  [[noreturn]] virtual void fail(const char* what) = 0;
};

/// Returns the simulated process that runs the calling code; null in a real run.
inline simulated_process* current_simulated_process() noexcept {
  return static_cast<simulated_process*>(machine::simulated());  // the simulation makes no others
}

}  // namespace gossamer::fabric
