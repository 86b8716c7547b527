#pragma once
// Memory that is used more than once while a graph is built. The first touch of a page is the dearest
// thing in a build (the system clears it: half of the time, measured), so what one phase leaves
// becomes the next one's. One fiber; not for the cores.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

/// Part of a region, which it keeps. The parts of a region need not be given back together.
struct memory_chunk {
  std::shared_ptr<machine::memory_region> region;
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

/// Returns a chunk with a region of its own: zero, huge pages where large.
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
  /// What is left goes back to the system.
  ~memory_pool();

  /// Returns memory of any contents: the smallest part that suffices, or a new region.
  memory_chunk take(std::uint64_t bytes);
  void give(memory_chunk chunk);

 private:
  void join();

  std::vector<memory_chunk> free_;
  bool joined_ = true;
};

}  // namespace gossamer::graph
