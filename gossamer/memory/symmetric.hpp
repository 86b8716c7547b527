#pragma once
// Memory at the same address in every process. Each process has its own memory there, so a pointer into it, or a handle
// that holds one, names the part of the process that uses it. With one process it is ordinary memory.
// On request neighbour processes of a node map the same memory there (lies_here() in array.hpp).

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/fiber/owning_job.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

/// Takes `bytes` of the range of addresses that all processes have in common, from the part of this process. give_addresses() returns
/// them to that process. Several processes only. By any one fiber; suspends.
std::byte* take_addresses(std::uint64_t bytes);
void give_addresses(std::byte* at);

/// Says which memory lies at common addresses: one for each process, or one for all neighbour processes of a node.
enum class owned_by : bool { process, node };

/// A range of zeroed memory at one address in all processes. Pages that a process does not touch cost
/// it nothing, so a range may be far larger than the memory of a process. Made and destroyed by any one fiber, which
/// suspends: a message to every process and an answer. With several processes the memory ends with its job; a range that is
/// destroyed later does nothing.
class symmetric_region {
 public:
  symmetric_region() = default;
  explicit symmetric_region(std::uint64_t bytes, owned_by whose = owned_by::process);
  symmetric_region(symmetric_region&& other) noexcept
      : region_(std::move(other.region_)), far_(std::exchange(other.far_, nullptr)), job_(other.job_) {}
  symmetric_region& operator=(symmetric_region&& other) noexcept {
    std::swap(region_, other.region_);
    std::swap(far_, other.far_);
    std::swap(job_, other.job_);
    return *this;
  }
  ~symmetric_region() {
    if (is_in_job()) release();
  }

  std::byte* data() const { return far_ != nullptr ? far_ : region_.data(); }
  /// Returns whether several processes have the memory, in the job that runs.
  bool is_in_job() const { return far_ != nullptr && job_.runs_here(); }

 private:
  void release();

  machine::memory_region region_;  // with one process
  std::byte* far_ = nullptr;  // with several processes
  fiber::owning_job job_;
};

/// Touches a part of a region that the node has in common, on the calling core, so that its pages are allocated now. Asks for
/// huge pages, which the kernel provides there only on request. Does nothing for other regions, and for parts of less than two
/// huge pages. Any core; does not suspend.
void take_in_common(std::byte* at, std::uint64_t bytes);

}  // namespace gossamer::memory
