#pragma once
// A simulated process as the fabric sees it: what connects it with the others.

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

class simulated_process : public machine::simulated_system {
 public:
  /// Null where there is one process.
  virtual transport* between() noexcept = 0;
};

/// The simulated process that runs the calling code; null in a real run.
inline simulated_process* current_simulated_process() noexcept {
  return static_cast<simulated_process*>(machine::simulated());  // the simulation makes no others
}

}  // namespace gossamer::fabric
