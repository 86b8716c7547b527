#pragma once
// A memory resource that counts the bytes allocated by one table.

#include <cstddef>
#include <memory_resource>

namespace gossamer::combining {

class table_memory {
 public:
  explicit table_memory(std::pmr::memory_resource& from) noexcept : from_(from) {}

  /// Allocates memory. Throws the exception of the resource, usually std::bad_alloc.
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
