#pragma once
// A memory resource that counts what one table has taken from it.

#include <cstddef>
#include <memory_resource>

namespace gossamer::combining {

class table_memory {
 public:
  explicit table_memory(std::pmr::memory_resource& from) noexcept : from_(from) {}

  /// Throws what the resource throws, std::bad_alloc mostly.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const p = from_.allocate(bytes, alignment);
    bytes_ += bytes;
    return p;
  }
  void deallocate(void* p, std::size_t bytes, std::size_t alignment) noexcept {
    from_.deallocate(p, bytes, alignment);
    bytes_ -= bytes;
  }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::pmr::memory_resource& from_;
  std::size_t bytes_ = 0;
};

}  // namespace gossamer::combining
