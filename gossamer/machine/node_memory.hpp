#pragma once
// Memory that several processes of a node map, without a name that others could open: one sparse file in memory
// (memfd_create), which the kernel frees with the last process that has it. A process opens that of another by the other's
// number and descriptor, through /proc, where the kernel lets only the same user in. A page that nothing has touched takes no
// memory; an offset means the same bytes in every process.

#include <cstddef>
#include <cstdint>
#include <string>

#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {

class node_memory {
 public:
  /// Makes `bytes` of zeroes, of which nothing is taken yet. Throws gossamer::error where the kernel refuses.
  static node_memory make(std::uint64_t bytes);
  /// Opens what another process of this node has made. Throws gossamer::error where the kernel refuses.
  static node_memory open(std::uint32_t process_id, int descriptor);

  node_memory(node_memory&& other) noexcept;
  node_memory& operator=(node_memory&& other) = delete;
  ~node_memory();

  /// Returns the descriptor by which other processes open it.
  int descriptor() const noexcept { return descriptor_; }

  /// Returns how many bytes there are, and extend() makes them at least so many, by zeroes of which nothing is taken. Any of the
  /// processes. extend() throws gossamer::error where the kernel refuses.
  std::uint64_t size() const;
  void extend(std::uint64_t bytes) const;

  /// Maps `bytes` from `offset` on at exactly this address, or anywhere where it is null; both are multiples of page_bytes().
  /// Throws gossamer::error where the kernel refuses, and where they end behind size(): the kernel would map them, and end the
  /// program where it touches one.
  memory_region map(std::byte* address, std::uint64_t offset, std::size_t bytes, std::string_view what) const;

  /// Makes whole pages zeroes again, for all processes, and gives their memory back. Ends the program in one line where the
  /// kernel refuses, since what lies there would be read as zeroes.
  void discard(std::uint64_t offset, std::size_t bytes) const noexcept;

 private:
  explicit node_memory(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

/// Says why other programs get no room in /dev/shm, such as an MPI for its own messages: "/dev/shm: No space left on device". Empty: they get
/// `bytes`, or nothing is known.
std::string problem_of_shared_memory(std::uint64_t bytes);

}  // namespace gossamer::machine
