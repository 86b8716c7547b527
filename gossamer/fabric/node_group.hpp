#pragma once
// The processes that share memory with this one: the processes of the job on its node, if the kernel allows
// it (machine/node_memory.hpp). They map one file at the common addresses, so each reads in place what the
// others have written. Behind the arrays lie the lanes between their cores: a job with lanes extends the file
// (node_lanes.hpp).

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/node_memory.hpp"
#include "gossamer/machine/node_watch.hpp"

namespace gossamer::fabric {

class node_group {
 public:
  /// Makes the memory, or opens that of the group's first process. Collective, blocking. If it fails, prints
  /// a warning, and the processes of this node use no shared memory. GOSSAMER_NODE_MEMORY=off: no process
  /// uses any.
  node_group(transport& between, const std::vector<machine::process_identity>& all);

  /// Returns whether this process and `process` share memory. Every process does with itself.
  bool has(unsigned process) const noexcept { return numbers_[process] != k_none; }
  /// Returns the number of processes in the group, this one included.
  unsigned size() const noexcept { return size_; }
  /// Returns the position of `process` in the group, from 0.
  unsigned number(unsigned process) const noexcept { return numbers_[process]; }
  /// Returns the processes of the group, by their numbers in the job.
  std::vector<unsigned> processes() const;
  /// Returns the memory; null if the group is this process alone.
  const machine::node_memory* memory() const noexcept { return memory_ ? &*memory_ : nullptr; }

 private:
  static constexpr unsigned k_none = ~0U;

  bool attach(transport& between, const std::vector<machine::process_identity>& all);

  std::vector<unsigned> numbers_;  // by process
  unsigned size_ = 0, first_ = 0;
  std::optional<machine::node_memory> memory_;
};

}  // namespace gossamer::fabric
