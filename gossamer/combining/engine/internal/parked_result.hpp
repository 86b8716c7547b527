#pragma once
// Answers of any size: the handler stores a copy, and the requesting fiber fetches and frees it.

#include <cstddef>

#include "gossamer/memory/transfer.hpp"

namespace gossamer::combining {

/// Bytes stored at core `owner` until they are taken. Trivially copyable, so that messages can carry it.
class parked_result {
 public:
  parked_result() = default;
  /// Allocates `size` bytes; null for 0. Throws std::bad_alloc.
  static parked_result make(std::size_t size) { return {size != 0 ? new std::byte[size] : nullptr, size}; }
  std::byte* data() const { return at_; }
  std::size_t size() const { return size_; }
  void free() const { delete[] at_; }

  /// Copies the bytes and frees them. Called once, by the requesting fiber. Suspends if they are in another
  /// process: fetches them by requests, and frees them by a call.
  void take(core_id owner, std::byte* into) const;

 private:
  parked_result(std::byte* at, std::size_t size) : at_(at), size_(size) {}

  std::byte* at_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossamer::combining
