#include "gossamer/memory/heap.hpp"

#include <new>

#include "gossamer/base/assert.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::memory {

namespace {
/// Returns whether a request gets a mapping of its own: it is large, and a mapping aligns it. (The pool asks
/// for many blocks at once, aligned as one of them.)
bool is_region(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t k_region_bytes = 256 << 10;
  return bytes >= k_region_bytes && alignment <= machine::page_bytes();
}
}  // namespace

void* region_resource::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (!is_region(bytes, alignment)) return ::operator new(bytes, std::align_val_t{alignment});
  machine::require_chunk(bytes, "global heap");
  machine::memory_region region(
      bytes, "global heap",
      bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default);
  void* p = region.data();
  regions_.emplace(p, std::move(region));
  return p;
}

void region_resource::do_deallocate(void* p, std::size_t bytes, std::size_t alignment) {
  if (!is_region(bytes, alignment))
    ::operator delete(p, std::align_val_t{alignment});
  else
    regions_.erase(p);
}

partition::partition(unsigned id, const message::endpoint_options& options, message::process_context& shared,
                     space& addresses)
    : endpoint(id, options, shared), addresses_(addresses) {}

partition::~partition() = default;

void partition::keep_released(std::unique_ptr<array_state> a) {
  if (released_.size() < k_released) return released_.push_back(std::move(a));
  released_[next_released_++ % k_released] = std::move(a);
}

}  // namespace gossamer::memory
