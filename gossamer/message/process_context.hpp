#pragma once
// What the cores of a process share: lanes, the list of sleepers, the endpoints, the wire to other processes,
// and lanes to processes of the same node. Made before the cores. It decides which cores belong to this
// process, and how the mesh numbers them: core c of the job is core c - first of the process, and has that
// endpoint index. The wire has the next index; the cores of other processes that have lanes follow it.

#include <vector>

#include "gossamer/fabric/mesh.hpp"
#include "gossamer/fabric/node_lanes.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::message {

class endpoint;

/// What the cores of a process share.
struct process_context {
  explicit process_context(unsigned cores, unsigned processes = 1, unsigned process = 0)
      : lanes(cores + (processes > 1 ? 1 : 0), cores),
        sleepers(cores),
        endpoints(cores),
        first(process * cores),
        all(processes * cores),
        cores_(cores) {}
  unsigned cores() const { return cores_; }
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is a core
  unsigned processes() const { return all / cores(); }
  unsigned process_of(unsigned core) const { return core / cores(); }
  /// Returns whether a core belongs to this process.
  bool is_local(unsigned core) const { return core - first < cores(); }
  /// Returns the endpoint index of the wire, behind those of all cores.
  unsigned wire_index() const { return cores(); }

  /// Returns whether there is a lane to a core: it belongs to this process, or to a neighbour on the node.
  bool has_lane(unsigned core) const { return is_local(core) || has_node_lane(core); }
  /// Returns whether a core belongs to another process, and there is a lane to it.
  bool has_node_lane(unsigned core) const {
    return node != nullptr && node->place(core) != fabric::node_lanes::k_none;
  }
  /// Returns whether there are lanes to all cores of the job.
  bool needs_no_wire() const { return node != nullptr && node->others() + cores() == all; }
  /// Returns the endpoint index of a core that has a lane. core_of() returns the core of an index other than
  /// the wire's.
  unsigned endpoint_index(unsigned core) const {
    return is_local(core) ? core - first : cores() + 1 + node->place(core);
  }
  unsigned core_of(unsigned endpoint_index) const {
    return endpoint_index < cores() ? first + endpoint_index : node->core(endpoint_index - cores() - 1);
  }
  /// Returns one past the last endpoint index.
  unsigned endpoint_indices() const { return cores() + 1 + (node != nullptr ? node->others() : 0); }

  fabric::mesh lanes;
  fiber::sleep_group sleepers;
  std::vector<endpoint*> endpoints;  // of this process
  const unsigned first, all;
  fabric::wire* wire = nullptr;  // set before the cores are made
  fabric::node_lanes* node = nullptr;  // likewise; null: no lanes to other processes
  call_phase* call = nullptr;  // of a host program (host/runtime.hpp); null: run()

 private:
  const unsigned cores_;
};

}  // namespace gossamer::message
