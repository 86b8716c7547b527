#pragma once
// An uninitialised array straight from the operating system: huge pages where it is large, nothing
// used until touched (so the core that fills a part pays for it and has it near). Zero unless it comes
// from a pool. For trivial types.

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
  explicit buffer(std::uint64_t n) : buffer(new_slice(n * sizeof(T)), n) {}
  buffer(memory_pool& pool, std::uint64_t n) : buffer(pool.take(n * sizeof(T)), n) {}
  /// `slice` is at least n * sizeof(T) bytes.
  buffer(memory_slice slice, std::uint64_t n) : slice_(std::move(slice)), size_(n) {}
  buffer(buffer&& other) noexcept
      : slice_(std::exchange(other.slice_, {})), size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    slice_ = std::exchange(other.slice_, {});
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() const { return reinterpret_cast<T*>(slice_.data); }
  std::uint64_t size() const { return size_; }
  T& operator[](std::uint64_t i) const { return data()[i]; }
  std::span<T> all() const { return {data(), size_}; }

  /// Gives whole pages back; they read as zero when touched again.
  void discard(std::uint64_t offset, std::uint64_t bytes) const {
    if (bytes != 0)
      slice_.region->discard(static_cast<std::uint64_t>(slice_.data - slice_.region->data()) + offset, bytes);
  }

  /// Returns the memory as storage that a graph keeps. This buffer is empty afterwards. Addresses stay.
  storage share() && {
    size_ = 0;
    return std::exchange(slice_, {}).region;
  }
  memory_slice release() && {
    size_ = 0;
    return std::exchange(slice_, {});
  }

 private:
  memory_slice slice_;
  std::uint64_t size_ = 0;
};

}  // namespace gossamer::graph
