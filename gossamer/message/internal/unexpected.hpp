#pragma once
// Messages that arrived before their receive was posted, kept until it is. Bounded in number and in bytes.
// Each source has a reserved part of both, so that a source that floods does not block the others. Memory is
// touched when needed and used last in, first out. Owner core only.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer {
class request;
}

namespace gossamer::message {

/// A slab: slots of equal size, at least 16 bytes.
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
  void give(std::byte* slot) {
    auto* const first = reinterpret_cast<link*>(slot);
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

/// One message: a copy of its bytes, or a reference to a sender that waits. Up to 8 bytes lie in the entry
/// itself.
struct alignas(k_line_bytes) unexpected {
  std::uint64_t tag;
  std::uint64_t sequence;  // in the order of arrival, receives included
  std::size_t bytes;
  const std::byte* data;
  request* sender;  // the send that waits for the receive; null where the bytes were copied
  std::uint32_t source;
  std::uint8_t size_class;
  std::byte inside[8];
};
static_assert(sizeof(unexpected) == k_line_bytes);

/// A limit shared by several sources, each with a reserved part: no source can take all.
class shared_limit {
 public:
  /// `most` in all, and at least `least` for each source.
  shared_limit(unsigned sources, std::size_t most, std::size_t least)
      : own_(std::max(least, most / (4 * std::size_t{sources}))),
        common_(most - std::min(most, own_ * sources)),
        used_(sources, "messages kept of each core") {}

  /// Returns how much n more of this source would take of the shared part.
  std::size_t common_need(unsigned source, std::size_t n) const {
    return above(used_[source] + n) - above(used_[source]);
  }
  std::size_t common_room() const { return common_ - common_used_; }
  bool has_room(unsigned source, std::size_t n) const { return common_need(source, n) <= common_room(); }
  void take(unsigned source, std::size_t n) {
    common_used_ += common_need(source, n);
    used_[source] += n;
  }
  /// Returns whether the shared part has more space now.
  bool give(unsigned source, std::size_t n) {
    used_[source] -= n;
    const std::size_t common = common_need(source, n);
    common_used_ -= common;
    return common != 0;
  }
  std::size_t most() const { return own_ * used_.size() + common_; }

 private:
  std::size_t above(std::size_t n) const { return n > own_ ? n - own_ : 0; }

  std::size_t own_ = 0, common_ = 0, common_used_ = 0;
  machine::zeroed_array<std::size_t> used_;  // by source
};

/// Space for copies, in messages and in bytes.
struct copy_room {
  std::size_t messages, bytes;

  bool holds(const copy_room& other) const { return other.messages <= messages && other.bytes <= bytes; }
};

class unexpected_store {
 public:
  struct limits {
    unsigned sources;
    std::size_t messages, bytes;  // copied, in all
    std::size_t packet_messages;  // minimum for each source
    std::size_t packet_bytes;
    std::size_t largest;  // largest message that is copied
    std::size_t senders;  // messages whose bytes stay with their senders (zero-copy)
  };
  explicit unexpected_store(const limits& l);

  /// Returns whether that many more copies can be kept.
  bool has_room(unsigned source, std::size_t messages, std::size_t bytes) const {
    return messages_.has_room(source, messages) && bytes_.has_room(source, chunk_bytes(messages, bytes));
  }
  /// Returns how much of the shared part those copies would take. common_room() returns what is free of it.
  copy_room common_need(unsigned source, std::size_t messages, std::size_t bytes) const {
    return {messages_.common_need(source, messages),
            bytes_.common_need(source, chunk_bytes(messages, bytes))};
  }
  copy_room common_room() const { return {messages_.common_room(), bytes_.common_room()}; }
  /// Copies.
  std::size_t kept() const { return kept_; }
  std::size_t most_kept() const { return messages_.most(); }

  /// Returns the slot that the next keep_copy() or keep_sender() will use.
  unexpected* next() {
    if (next_ == nullptr) next_ = reinterpret_cast<unexpected*>(heads_.take());
    return next_;
  }
  /// Keeps next() (tag, source and sequence are filled in) with a copy of the bytes.
  void keep_copy(const std::byte* data, std::size_t bytes);
  /// Keeps next(), whose bytes stay with the sender.
  void keep_sender(const std::byte* data, std::size_t bytes, request* sender);
  /// Returns whether the shared part has more space now.
  bool forget(unexpected& e);

 private:
  /// Returns an upper bound for the bytes of slots: each is less than twice its contents, or a line.
  static std::size_t chunk_bytes(std::size_t messages, std::size_t bytes) {
    return 2 * bytes + messages * k_line_bytes;
  }

  static constexpr std::uint8_t k_inside = 255;
  static constexpr std::size_t k_classes = 12;  // 64 bytes to 128 KiB

  shared_limit messages_, bytes_;
  std::size_t kept_ = 0;
  unexpected* next_ = nullptr;
  slab heads_;
  std::array<slab, k_classes> slabs_;
};

}  // namespace gossamer::message
