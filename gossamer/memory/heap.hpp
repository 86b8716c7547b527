#pragma once
// A core's partition of the global heap: objects that lie on this core, and that other cores reach through
// global pointers. Only the owner allocates and frees, so neither needs a lock. Large requests
// become mappings of their own, on huge pages where the kernel provides them.

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/memory/internal/space.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::memory {

/// Serves large requests by mappings of their own, small ones by operator new.
class region_resource final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::unordered_map<void*, machine::memory_region> regions_;
};

struct array_state;

/// The endpoint of a core, and its heap.
class partition : public message::endpoint {
 public:
  partition(unsigned id, const message::endpoint_options& options, message::process_context& shared,
            space& addresses);
  ~partition() override;

  static partition& here() { return static_cast<partition&>(*fiber::scheduler::current()); }

  /// Returns the heap of this core. Only the owner may use it. Its allocations throw std::bad_alloc or gossamer::error where
  /// memory is short.
  std::pmr::memory_resource& heap() { return heap_; }
  /// Keeps the state of a released array, so that uses of its handles are detected. Frees it after k_released more
  /// releases.
  void keep_released(std::unique_ptr<array_state> a);
  /// Returns the common addresses of this process. Only its first core may change them; others ask about neighbours.
  space& addresses() { return addresses_; }

 private:
  static constexpr std::size_t k_released = 64;

  space& addresses_;
  std::vector<std::unique_ptr<array_state>> released_;  // a ring of the last k_released
  std::size_t next_released_ = 0;
  region_resource regions_;
  std::pmr::unsynchronized_pool_resource heap_{
      {.max_blocks_per_chunk = 0, .largest_required_pool_block = 64 << 10}, &regions_};
};

}  // namespace gossamer::memory
