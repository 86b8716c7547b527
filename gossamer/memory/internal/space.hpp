#pragma once
// The addresses that mean the same thing in every process: one range, reserved by agreement, of which each
// process gives out a part of its own. Giving out takes no memory and sends no message; mapping does. Used on
// the first core of a process only. With one process it stays unused.

#include <cstddef>
#include <cstdint>
#include <map>

#include "gossamer/fabric/node_group.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

class space {
 public:
  /// `neighbours`: the processes that have memory in common; null: none has.
  space(unsigned process, unsigned processes, const fabric::node_group* neighbours);
  /// Unmaps what is still there. After all processes have come to the end of the job.
  ~space();
  space(const space&) = delete;
  space& operator=(const space&) = delete;

  /// Addresses for so many bytes, whole pages (of 2 MiB from there on). Throws gossamer::error where the
  /// process's part is used up.
  std::byte* take(std::uint64_t bytes);
  void give(std::byte* at);

  /// Returns the process that gave the address out.
  static unsigned giver(const std::byte* at, unsigned processes);

  /// Maps zeroed memory at an address that some process has taken.
  void map(std::byte* at, std::uint64_t bytes);
  /// Maps as map() does, but what lies from `at` + `own_bytes` on is the same memory in all neighbours. `own_bytes` is a
  /// multiple of the page size. Without neighbours all of it is this process's own.
  void map_in_common(std::byte* at, std::uint64_t own_bytes, std::uint64_t bytes);
  /// Unmaps what map() or map_in_common() has mapped. Memory in common is zeroes again once the first neighbour has unmapped
  /// it, so nothing of the job uses it any more.
  void unmap(std::byte* at);
  bool maps(std::byte* at) const { return mapped_.contains(at); }

  /// Returns whether what `process` writes into memory mapped in common can be read here, in place. Any core.
  bool neighbours(unsigned process) const {
    return process == process_ || (neighbours_ != nullptr && neighbours_->has(process));
  }
  /// Returns the group of neighbours; null: this process alone. Any core.
  const fabric::node_group* group() const { return neighbours_; }

 private:
  struct mapping {
    machine::memory_region own, common;  // side by side, where there are both
  };

  void discard(const machine::memory_region& common) const;
  static std::uint64_t unit_for(std::uint64_t bytes);

  std::map<std::byte*, std::uint64_t> free_, taken_;  // by address: bytes
  std::map<std::byte*, mapping> mapped_;
  const unsigned process_;
  const fabric::node_group* const neighbours_;  // null: none
};

}  // namespace gossamer::memory
