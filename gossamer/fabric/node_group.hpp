#pragma once
// The processes of a job that have memory in common with this one: those of its node, where the kernel lets them
// (machine/node_memory.hpp). They map the same file at the common addresses, so what one has written there is read by the
// others in place. Behind those lie the lanes between their cores: a job that has some makes the file so much longer
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
  /// Makes the memory, or opens that of the group's first process. Collective, blocking. Where a process cannot, it prints
  /// a warning, and the processes of its node do without. GOSSAMER_NODE_MEMORY=off: all do.
  node_group(transport& between, const std::vector<machine::process_identity>& all);

  /// Returns whether this process and `process` have memory in common. Every process has with itself.
  bool has(unsigned process) const noexcept { return numbers_[process] != k_none; }
  /// Returns the number of processes in the group, this one included.
  unsigned size() const noexcept { return size_; }
  /// Returns the place of `process` in the group, from 0.
  unsigned number(unsigned process) const noexcept { return numbers_[process]; }
  /// Returns the processes of the group, by their numbers in the job.
  std::vector<unsigned> processes() const;
  /// Returns the memory; null where the group is this process alone.
  const machine::node_memory* memory() const noexcept { return memory_ ? &*memory_ : nullptr; }

 private:
  static constexpr unsigned k_none = ~0U;

  bool attach(transport& between, const std::vector<machine::process_identity>& all);

  std::vector<unsigned> numbers_;  // by process
  unsigned size_ = 0, first_ = 0;
  std::optional<machine::node_memory> memory_;
};

}  // namespace gossamer::fabric
