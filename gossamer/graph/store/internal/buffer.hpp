#pragma once
// An uninitialised array, allocated directly from the operating system: huge pages if it is large. Pages are
// allocated at first touch, on the node of the core that fills them. Zero unless the memory comes from a
// pool. For trivial types.

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/graph/store/internal/memory_pool.hpp"

namespace gossamer::graph {

/// Keeps memory alive: a heap block, a region or a mapped file.
using storage = std::shared_ptr<const void>;

template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer() = default;
  explicit buffer(std::uint64_t n) : buffer(new_chunk(n * sizeof(T)), n) {}
  buffer(memory_pool& pool, std::uint64_t n) : buffer(pool.take(n * sizeof(T)), n) {}
  /// Wraps a chunk of at least n * sizeof(T) bytes.
  buffer(memory_chunk chunk, std::uint64_t n) : chunk_(std::move(chunk)), size_(n) {}
  buffer(buffer&& other) noexcept
      : chunk_(std::exchange(other.chunk_, {})), size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    chunk_ = std::exchange(other.chunk_, {});
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() const { return reinterpret_cast<T*>(chunk_.data); }
  std::uint64_t size() const { return size_; }
  T& operator[](std::uint64_t i) const { return data()[i]; }
  std::span<T> all() const { return {data(), size_}; }

  /// Releases whole pages; they read as zero when touched again.
  void discard(std::uint64_t offset, std::uint64_t bytes) const {
    if (bytes != 0)
      chunk_.region->discard(static_cast<std::uint64_t>(chunk_.data - chunk_.region->data()) + offset, bytes);
  }

  /// Returns the memory as shared storage, for a graph to keep. This buffer is empty afterwards. Addresses
  /// stay valid.
  storage share() && {
    size_ = 0;
    return std::exchange(chunk_, {}).region;
  }
  memory_chunk release() && {
    size_ = 0;
    return std::exchange(chunk_, {});
  }

 private:
  memory_chunk chunk_;
  std::uint64_t size_ = 0;
};

}  // namespace gossamer::graph
