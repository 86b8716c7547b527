#pragma once
// Reuses memory while a graph is built. The first touch of a page is the most expensive operation of a build,
// because the system clears it (half of the time, measured). So memory freed by one phase is allocated by the
// next one. For one fiber, not for several cores.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

/// A part of a memory region, which it keeps alive. The parts of a region may be returned in any order.
struct memory_chunk {
  std::shared_ptr<machine::memory_region> region;
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

/// Allocates a chunk in a region of its own: zeroed, huge pages if it is large.
inline memory_chunk new_chunk(std::uint64_t bytes) {
  using machine::pages;
  const pages kind = bytes >= machine::k_huge_page_bytes ? pages::huge : pages::as_default;
  auto region = std::make_shared<machine::memory_region>(std::max<std::uint64_t>(bytes, 64), "a graph", kind);
  std::byte* const data = region->data();
  return {std::move(region), data, bytes};
}

class memory_pool {
 public:
  memory_pool() = default;
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;
  /// Returns the remaining memory to the system.
  ~memory_pool();

  /// Returns memory with arbitrary contents: the smallest part that suffices, or a new region.
  memory_chunk take(std::uint64_t bytes);
  void give(memory_chunk chunk);

 private:
  void join();

  std::vector<memory_chunk> free_;
  bool joined_ = true;
};

}  // namespace gossamer::graph
