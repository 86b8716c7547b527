#pragma once
// An array that costs nothing until it is used: its elements are zero bytes, which the kernel provides page
// by page at the first touch. For arrays indexed by all cores, or by all pairs of cores, of which a job uses
// few elements. Runs no constructors if it is large, and no destructors: an element of zero bytes must be
// valid.

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {

template <class T>
class zeroed_array {
  static_assert(std::is_trivially_destructible_v<T>, "elements are never destroyed");
  static_assert(alignof(T) <= 4096, "elements lie at the start of a page");

 public:
  /// Arrays larger than this are mapped regions; smaller ones come from the heap, and are touched at once.
  static constexpr std::size_t k_heap_bytes = 16 << 10;
  /// `what` names the use in the error. Small pages, because touching an element of a huge page would
  /// allocate all of it. Throws gossamer::error if the kernel refuses.
  zeroed_array(std::size_t count, std::string_view what, pages kind = pages::small) : count_(count) {
    if (count <= k_heap_bytes / sizeof(T)) {
      heap_ = std::make_unique<T[]>(count);
      data_ = heap_.get();
    } else {
      region_ = memory_region(bytes_of(count), what, kind);
      data_ = reinterpret_cast<T*>(region_.data());
    }
  }

  zeroed_array() = default;
  zeroed_array(zeroed_array&& other) noexcept { *this = std::move(other); }
  zeroed_array& operator=(zeroed_array&& other) noexcept {
    data_ = std::exchange(other.data_, nullptr);
    count_ = std::exchange(other.count_, 0);
    heap_ = std::move(other.heap_);
    region_ = std::move(other.region_);
    return *this;
  }

  /// Touches all of it now, from the calling thread. For elements that are read before they are written. The
  /// first read of a page maps the common page of zeros, and the first write replaces it, which interrupts
  /// all threads of the process.
  void populate() noexcept {
    if (region_.size() > 0) region_.populate(0, count_ * sizeof(T));
  }

  T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  /// Returns the bytes of `count` elements; SIZE_MAX if that overflows.
  static std::size_t bytes_of(std::size_t count) {
    std::size_t bytes;
    return __builtin_mul_overflow(count, sizeof(T), &bytes) ? ~std::size_t{0} : bytes;
  }

  T* data_ = nullptr;
  std::size_t count_ = 0;
  std::unique_ptr<T[]> heap_;
  memory_region region_;
};

}  // namespace gossamer::machine
