#pragma once
// Memory that several processes of a node map: one sparse file in memory (memfd_create) without a name. The
// kernel frees it with the last process that has it. A process opens the memory of another one through /proc,
// by its process number and descriptor; the kernel allows that to the same user only. Untouched pages take no
// memory; an offset means the same bytes in every process.

#include <cstddef>
#include <cstdint>
#include <string>

#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {

class node_memory {
 public:
  /// Makes `bytes` of zeroes; none is allocated yet. Throws gossamer::error if the kernel refuses.
  static node_memory make(std::uint64_t bytes);
  /// Opens the memory that another process of this node has made. Throws gossamer::error if the kernel
  /// refuses.
  static node_memory open(std::uint32_t process_id, int descriptor);

  node_memory(node_memory&& other) noexcept;
  node_memory& operator=(node_memory&& other) = delete;
  ~node_memory();

  /// Returns the descriptor by which other processes open it.
  int descriptor() const noexcept { return descriptor_; }

  /// Returns the size; extend() makes it at least so many bytes, without allocating them. Any of the
  /// processes. extend() throws gossamer::error if the kernel refuses.
  std::uint64_t size() const;
  void extend(std::uint64_t bytes) const;

  /// Maps `bytes` from `offset` on at exactly this address, or anywhere if it is null; both are multiples of
  /// page_bytes(). Throws gossamer::error if the kernel refuses, and if they end behind size(): the kernel
  /// would map them, and end the program when it touches one.
  memory_region map(std::byte* address, std::uint64_t offset, std::size_t bytes, std::string_view what) const;

  /// Zeroes whole pages for all processes, and frees their memory. Ends the program in one line if the kernel
  /// refuses, because their contents would be read as zeroes.
  void discard(std::uint64_t offset, std::size_t bytes) const noexcept;

 private:
  explicit node_memory(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

/// Returns why other programs, such as an MPI, cannot allocate in /dev/shm: "/dev/shm: No space left on
/// device". Empty: they can have `bytes`, or nothing is known.
std::string problem_of_shared_memory(std::uint64_t bytes);

}  // namespace gossamer::machine
