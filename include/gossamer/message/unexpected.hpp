#pragma once
// Messages that came before anybody asked for them, kept until somebody does. Bounded in number and in
// bytes; memory is touched as it is needed and used last-in first-out. Owner core only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {
class request;
}

namespace gossamer::message {

/// Pieces of equal size, at least 16 bytes.
class slab {
 public:
  slab() = default;
  slab(std::size_t count, std::size_t bytes, std::string_view what)
      : bytes_(bytes), region_(count * bytes, what) {}

  std::byte* take() {
    if (free_ == nullptr) {
      std::byte* const fresh = region_.data() + used_;
      used_ += bytes_;
      return fresh;
    }
    link* const first = free_;
    free_ = first->next;
    return reinterpret_cast<std::byte*>(first);
  }
  void give(std::byte* piece) {
    auto* const first = reinterpret_cast<link*>(piece);
    first->next = free_;
    free_ = first;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  struct link {
    link* next;
  };
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;  // bytes of the region that have been taken at least once
  link* free_ = nullptr;
  machine::memory_region region_;
};

/// One message: its bytes copied, or still with a sender that waits. Up to 8 bytes lie in the line itself.
struct alignas(k_line_bytes) unexpected {
  std::uint64_t tag;
  std::uint64_t sequence;  // in the order of arrival, receives included
  std::size_t bytes;
  const std::byte* data;
  request* sender;  // who waits for it to be received; null where the bytes were copied
  std::uint32_t source;
  std::uint8_t size_class;
  std::byte inside[8];
};
static_assert(sizeof(unexpected) == k_line_bytes);

class unexpected_store {
 public:
  /// Keeps up to `messages`, with up to `bytes` copied in all, and at most `largest` each.
  unexpected_store(std::size_t messages, std::size_t bytes, std::size_t largest);

  bool has_room(std::size_t messages, std::size_t bytes) const {
    // A piece is less than twice what it holds, or a line.
    return messages <= most_ - kept_ && bytes_ + 2 * bytes + messages * k_line_bytes <= most_bytes_;
  }
  std::size_t kept() const { return kept_; }

  /// The piece that the next keep() will use.
  unexpected* next() {
    if (next_ == nullptr) next_ = reinterpret_cast<unexpected*>(heads_.take());
    return next_;
  }
  /// Keeps next(), with a copy of the bytes.
  void keep_copy(const std::byte* data, std::size_t bytes);
  /// Keeps next(), whose bytes stay with the sender.
  void keep_sender(const std::byte* data, std::size_t bytes, request* sender);
  void forget(unexpected& e);

 private:
  static constexpr std::uint8_t k_inside = 255;
  static constexpr std::size_t k_classes = 12;  // 64 bytes to 128 KiB

  std::size_t most_, most_bytes_;
  std::size_t kept_ = 0, bytes_ = 0;
  unexpected* next_ = nullptr;
  slab heads_;
  std::array<slab, k_classes> pieces_;
};

}  // namespace gossamer::message
