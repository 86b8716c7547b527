#pragma once
// A core's slice of the global heap: objects that live on this core and are reached from others through
// global pointers. Only the owner allocates and frees: both are linearizable without a lock. Large chunks
// come straight from the system, on huge pages where it gives them.

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/memory/internal/space.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::memory {

/// Hands out whole mappings for large requests, operator new for small ones.
class region_resource final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::unordered_map<void*, machine::memory_region> regions_;
};

struct array_state;

/// A core with memory: mail and a heap.
class partition : public message::endpoint {
 public:
  partition(unsigned id, const message::endpoint_options& options, message::process_context& shared,
            space& addresses);
  ~partition() override;

  static partition& here() { return static_cast<partition&>(*fiber::scheduler::current()); }

  /// Returns the heap of this core. Owner only. Its allocations throw std::bad_alloc or gossamer::error (no
  /// memory).
  std::pmr::memory_resource& heap() { return heap_; }
  /// Keeps a released array, which is marked as such, so that handles still in use are found out. After
  /// k_released more releases it is gone.
  void keep_released(std::unique_ptr<array_state> a);
  /// Returns the common addresses of this process. Its first core only, but for questions about neighbours.
  space& addresses() { return addresses_; }

 private:
  static constexpr std::size_t k_released = 64;

  space& addresses_;
  std::vector<std::unique_ptr<array_state>> released_;  // the last so many, in turn
  std::size_t next_released_ = 0;
  region_resource regions_;
  std::pmr::unsynchronized_pool_resource heap_{
      {.max_blocks_per_chunk = 0, .largest_required_pool_block = 64 << 10}, &regions_};
};

}  // namespace gossamer::memory
