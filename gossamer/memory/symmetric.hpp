#pragma once
// Memory that lies at the same address in every process, each process having its own there. So a pointer
// into it, or a handle that holds one, means the same thing (its own part) wherever it is shipped. With one
// process it is ordinary memory. Where it is asked for in common, the processes of a node have the same memory there, as far as
// they are neighbours (lies_here() in array.hpp).

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

/// Addresses for so many bytes, from this process's part of what all have in common; and back to the process that gave
/// them out. Several processes. By any one fiber; suspends.
std::byte* take_addresses(std::uint64_t bytes);
void give_addresses(std::byte* at);

/// Whose memory lies at common addresses: each process's own, or the same for neighbours on a node.
enum class owned_by : bool { process, node };

/// A range of zeroed memory at one address in all processes; pages that a process does not touch cost
/// it nothing, so a range may be far larger than the memory of one. Made and destroyed by any one fiber;
/// suspends: a message to every process and back.
class symmetric_region {
 public:
  symmetric_region() = default;
  explicit symmetric_region(std::uint64_t bytes, owned_by whose = owned_by::process);
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

/// Takes the memory of a part of a region in common now, on the calling core, and on huge pages, which the kernel gives there
/// only when it is asked. Does nothing for other regions, and for parts of less than two huge pages. Any core; does not suspend.
void take_in_common(std::byte* at, std::uint64_t bytes);

}  // namespace gossamer::memory
