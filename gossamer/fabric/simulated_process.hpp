#pragma once
// The interface between the fabric and a simulated process: its connections to the others.

#include <cstddef>
#include <vector>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

class simulated_process : public machine::simulated_system {
 public:
  /// Returns the transport between the processes; null if there is one process.
  virtual transport* between() noexcept = 0;

  /// The processes of a simulated node, which have lanes between their cores (node_lanes.hpp). They do not
  /// share arrays: each process has its own memory at the common addresses.
  struct node {
    std::vector<unsigned> processes;  // by their numbers, this one included
    std::size_t lane_packets = 0;  // minimum of a lane; 0: as in a real run
  };
  virtual node node_of_process() const = 0;
  /// Returns so many bytes of zeroes, shared by all processes of the node, which request the same number.
  /// They exist until the cluster ends.
  virtual std::byte* node_memory(std::size_t bytes) = 0;
  /// Notes that this process has written into a lane to a core of another process (numbered from 0 there):
  /// that core polls soon if it spins.
  virtual void lane_written(unsigned process, unsigned core) noexcept = 0;

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
