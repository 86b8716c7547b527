#pragma once
// An uninitialised array straight from the operating system: huge pages where it is large, nothing
// used until touched (so the core that fills a part pays for it and has it near). For trivial types.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gossamer/graph/labels.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer() = default;
  explicit buffer(std::uint64_t n)
      : region_(
            bytes_for(n), "a graph",
            bytes_for(n) >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default),
        size_(n) {}
  buffer(buffer&& other) noexcept : region_(std::move(other.region_)), size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    region_ = std::move(other.region_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() const { return reinterpret_cast<T*>(region_.data()); }
  std::uint64_t size() const { return size_; }
  T& operator[](std::uint64_t i) const { return data()[i]; }
  std::span<T> all() const { return {data(), size_}; }

  /// The memory as a keeper for a graph; this buffer is empty afterwards. Addresses stay.
  storage share() && {
    size_ = 0;
    return std::make_shared<machine::memory_region>(std::move(region_));
  }

 private:
  static std::size_t bytes_for(std::uint64_t n) { return n == 0 ? sizeof(T) : n * sizeof(T); }

  machine::memory_region region_;
  std::uint64_t size_ = 0;
};

}  // namespace gossamer::graph
