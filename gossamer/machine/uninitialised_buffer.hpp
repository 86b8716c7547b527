#pragma once
// Uninitialised memory for elements that are written before they are read; on huge pages if it is large.

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {

/// Owns uninitialised memory for n elements. Movable.
template <class K>
class uninitialised_buffer {
  static_assert(std::is_trivially_copyable_v<K>);

 public:
  uninitialised_buffer() = default;
  uninitialised_buffer(uninitialised_buffer&& other) noexcept
      : region_(std::move(other.region_)),
        small_(std::move(other.small_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  uninitialised_buffer& operator=(uninitialised_buffer&& other) noexcept {
    region_ = std::move(other.region_);
    small_ = std::move(other.small_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  explicit uninitialised_buffer(std::size_t n) : size_(n) {
    const std::size_t bytes = n * sizeof(K);
    if (bytes >= k_mapped_from) {
      region_ = memory_region(bytes, "room for elements", pages::huge);
      data_ = reinterpret_cast<K*>(region_.data());
    } else if (bytes > 0) {
      small_.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{k_line})));
      data_ = reinterpret_cast<K*>(small_.get());
    }
  }

  K* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<K> span() const { return {data_, size_}; }

 private:
  static constexpr std::size_t k_mapped_from = std::size_t{1} << 20,
                               k_line = alignof(K) > 64 ? alignof(K) : 64;
  struct release {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{k_line}); }
  };

  memory_region region_;
  std::unique_ptr<std::byte, release> small_;
  K* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossamer::machine
