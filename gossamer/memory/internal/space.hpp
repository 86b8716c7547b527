#pragma once
// The addresses that mean the same thing in every process: one range, reserved by agreement, of which each
// process gives out a part of its own. Giving out takes no memory and sends no message; mapping does. Used on
// the first core of a process only. With one process it stays unused.

#include <cstddef>
#include <cstdint>
#include <map>

#include "gossamer/machine/memory.hpp"

namespace gossamer::memory {

class space {
 public:
  space(unsigned process, unsigned processes);

  /// Addresses for so many bytes, whole pages (of 2 MiB from there on). Throws gossamer::error where the
  /// process's part is used up.
  std::byte* take(std::uint64_t bytes);
  void give(std::byte* at);

  /// Returns the process that gave the address out.
  static unsigned giver(const std::byte* at, unsigned processes);

  /// Maps zeroed memory at an address that some process has taken.
  void map(std::byte* at, std::uint64_t bytes);
  void unmap(std::byte* at);
  bool maps(std::byte* at) const { return mapped_.contains(at); }

 private:
  static std::uint64_t unit_for(std::uint64_t bytes);

  std::map<std::byte*, std::uint64_t> free_, taken_;  // by address: bytes
  std::map<std::byte*, machine::memory_region> mapped_;
};

}  // namespace gossamer::memory
