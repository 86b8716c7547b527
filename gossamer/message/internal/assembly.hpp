#pragma once
// Assembles payloads that arrive from another process in chunks. Owner core only. Bounded by what senders
// have in flight: the chunks of a payload arrive one after another, and the payload is used when the last one
// has arrived. If there was no memory for a payload at its first chunk, its other chunks are dropped.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "gossamer/base/assert.hpp"

namespace gossamer::message {

class assembly_table {
 public:
  /// Copies a chunk to its place. Returns the whole payload at its last chunk, otherwise null. The chunks of
  /// a payload arrive in order. Throws std::bad_alloc at the first chunk; then the last one returns null,
  /// too.
  std::unique_ptr<std::byte[]> add(unsigned source, std::uint64_t number, std::uint64_t total,
                                   std::uint64_t offset, const std::byte* chunk, std::size_t bytes) {
    const std::uint64_t key = std::uint64_t{source} << 48 | number;
    GOSSAMER_ASSERT(offset + bytes <= total);
    const bool last = offset + bytes == total;
    std::unique_ptr<std::byte[]> whole;
    if (offset == 0) {
      whole = std::make_unique_for_overwrite<std::byte[]>(total);
      std::memcpy(whole.get(), chunk, bytes);
      if (!last) open_.emplace(key, std::move(whole));
      return whole;
    }
    const auto found = open_.find(key);
    if (found == open_.end()) return nullptr;
    std::memcpy(found->second.get() + offset, chunk, bytes);
    if (!last) return nullptr;
    whole = std::move(found->second);
    open_.erase(found);
    return whole;
  }
  std::uint64_t next_number() { return number_++ & ((std::uint64_t{1} << 48) - 1); }

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<std::byte[]>> open_;
  std::uint64_t number_ = 0;
};

}  // namespace gossamer::message
