#pragma once
// Memory that lies at the same address in every process, each process having its own there. So a pointer
// into it, or a handle that holds one, means the same thing (its own part) wherever it is shipped. With one
// process it is ordinary memory.

#include <cstddef>
#include <cstdint>

#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

/// A range of zeroed memory at one address in all processes; pages that a process does not touch cost
/// it nothing, so a range may be far larger than the memory of one. By any one fiber; suspends.
class symmetric_region {
 public:
  symmetric_region() = default;
  explicit symmetric_region(std::uint64_t bytes);

  std::byte* data() const { return region_.data(); }

 private:
  machine::memory_region region_;
};

}  // namespace gossamer::memory
