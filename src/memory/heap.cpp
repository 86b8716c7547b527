#include "gossamer/memory/heap.hpp"

#include <new>

#include "gossamer/base/assert.hpp"

namespace gossamer::memory {

namespace {
constexpr std::size_t k_region_bytes = 256 << 10;  // from here on a mapping of its own
}

void* region_resource::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < k_region_bytes) return ::operator new(bytes, std::align_val_t{alignment});
  machine::memory_region region(
      bytes, "global heap",
      bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default);
  GOSSAMER_ASSERT(alignment <= machine::page_bytes());
  void* p = region.data();
  regions_.emplace(p, std::move(region));
  return p;
}

void region_resource::do_deallocate(void* p, std::size_t bytes, std::size_t alignment) {
  if (bytes < k_region_bytes)
    ::operator delete(p, std::align_val_t{alignment});
  else
    regions_.erase(p);
}

}  // namespace gossamer::memory
