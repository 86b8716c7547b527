#include "gossamer/memory/heap.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "gossamer/parallel/job.hpp"

namespace gossamer {
namespace {

/// The pool asks for ever more blocks of a size at once, aligned as one of them.
TEST(Heap, GivesManyBlocksOfAnySize) {
  run({.cores = 1}, [] {
    auto& heap = memory::partition::here().heap();
    for (const std::size_t bytes : {64, 4096, 8192, 64 << 10, 128 << 10, 300 << 10, 3 << 20}) {
      std::vector<void*> blocks;
      for (unsigned k = 0; k < 40; ++k) {
        blocks.push_back(heap.allocate(bytes, 64));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % 64, 0U);
        std::memset(blocks.back(), static_cast<int>(k), bytes);
      }
      for (unsigned k = 0; k < 40; ++k) {
        EXPECT_EQ(static_cast<unsigned char*>(blocks[k])[bytes - 1], k);
        heap.deallocate(blocks[k], bytes, 64);
      }
    }
  });
}

}  // namespace
}  // namespace gossamer
