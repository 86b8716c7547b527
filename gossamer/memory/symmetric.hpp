#pragma once
// Memory that lies at the same address in every process, each process having its own there. So a pointer
// into it, or a handle that holds one, means the same thing (its own part) wherever it is shipped. With one
// process it is ordinary memory.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

/// Addresses for so many bytes, from this process's part of what all have in common; and back to the process that gave
/// them out. Several processes. By any one fiber; suspends.
std::byte* take_addresses(std::uint64_t bytes);
void give_addresses(std::byte* at);

/// A range of zeroed memory at one address in all processes; pages that a process does not touch cost
/// it nothing, so a range may be far larger than the memory of one. Made and destroyed by any one fiber;
/// suspends: a message to every process and back.
class symmetric_region {
 public:
  symmetric_region() = default;
  explicit symmetric_region(std::uint64_t bytes);
  symmetric_region(symmetric_region&& other) noexcept
      : region_(std::move(other.region_)), far_(std::exchange(other.far_, nullptr)) {}
  symmetric_region& operator=(symmetric_region&& other) noexcept {
    std::swap(region_, other.region_);
    std::swap(far_, other.far_);
    return *this;
  }
  ~symmetric_region() {
    if (far_ != nullptr) release();
  }

  std::byte* data() const { return far_ != nullptr ? far_ : region_.data(); }

 private:
  void release();

  machine::memory_region region_;  // one process
  std::byte* far_ = nullptr;  // several
};

}  // namespace gossamer::memory
