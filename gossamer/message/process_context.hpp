#pragma once
// What the cores of a process share: lanes, the list of sleepers, each other's endpoints, and the wire to other
// processes where there are any. Made before the cores. It says which cores are of this process, and how the mesh
// numbers them: core c of the job is the process's c - first, and has that endpoint index in the mesh; the wire has
// the last one.

#include <vector>

#include "gossamer/fabric/mesh.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::message {

class endpoint;

/// What the cores of a process share.
struct process_context {
  explicit process_context(unsigned cores, unsigned processes = 1, unsigned process = 0)
      : lanes(cores + (processes > 1 ? 1 : 0)),
        sleepers(cores),
        endpoints(cores),
        first(process * cores),
        all(processes * cores),
        cores_(cores) {}
  unsigned cores() const { return cores_; }
  unsigned processes() const { return all / cores(); }
  unsigned process_of(unsigned core) const { return core / cores(); }
  /// Returns whether a core is of this process.
  bool is_local(unsigned core) const { return core - first < cores(); }
  /// Returns the endpoint index of the wire, behind those of all cores.
  unsigned wire_index() const { return cores(); }

  fabric::mesh lanes;
  fiber::sleep_group sleepers;
  std::vector<endpoint*> endpoints;  // of this process
  const unsigned first, all;
  fabric::wire* wire = nullptr;  // set before the cores are made
  call_phase* call = nullptr;  // of a host program (host/runtime.hpp); null: run()

 private:
  const unsigned cores_;
};

}  // namespace gossamer::message
