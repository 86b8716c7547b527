#pragma once
// Stores the values of stacks and queues on the cores that inserted them. A commit sends only descriptors of
// ranges to the home core. A core that takes a range copies the values from its owner, in place inside a
// process and in bulk from another one. It then notifies the owner, which reuses a chunk once all its values
// were taken. After the home core's answer, a range belongs to the core that took it, and no other core reads
// or writes it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/memory/global_ptr.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/completion.hpp"

namespace gossamer::combining {

class range_store;

/// Contiguous values of one core.
struct alignas(64) chunk {
  range_store* home = nullptr;
  std::uint32_t number = 0;  // index in its store
  std::uint32_t used = 0;  // values inserted
  std::uint32_t left = 0;  // inserted values that were not taken yet
  std::byte* values() { return reinterpret_cast<std::byte*>(this + 1); }
};

/// Values [begin, begin + count) of a chunk; 16 bytes.
struct value_range {
  global_ptr<chunk> in;
  std::uint32_t begin = 0, count = 0;
};

/// The chunks of one core, for one structure. Used by its core only.
class range_store {
 public:
  range_store() = default;
  range_store(const range_store&) = delete;
  range_store& operator=(const range_store&) = delete;
  ~range_store() = default;

  void open(std::size_t value_bytes) {
    value_bytes_ = value_bytes;
    capacity_ = static_cast<std::uint32_t>(std::max<std::size_t>(k_chunk_bytes / value_bytes, 16));
    spare_.reserve(k_spare);  // handlers return chunks
    taken_.emplace(*fiber::scheduler::current());
  }
  /// Waits until the other cores know what was taken from them. Called on every core before close().
  void settle();
  /// Frees all chunks.
  void close();

  /// Appends a value to the last of `ranges`, or to a new one. Throws std::bad_alloc and then leaves the
  /// store unchanged.
  void put(std::vector<value_range>& ranges, const void* value) {
    make_room(ranges);
    append(ranges.back(), value, 1);
  }
  /// Appends `count` contiguous values to `ranges`, which is empty. Throws as put() does.
  void put_all(std::vector<value_range>& ranges, const std::byte* values, std::size_t count);
  /// Stages values until next_staged() returns their ranges. Throws as put_all() does.
  void stage(const std::byte* values, std::size_t count) {
    std::vector<value_range> more;
    put_all(more, values, count);
    try {
      staged_.insert(staged_.end(), more.begin(), more.end());
    } catch (...) {
      forget(more);
      throw;
    }
  }
  bool has_staged() const { return returned_ < staged_.size(); }
  /// Takes the next staged range, in order. Returns false if there is none.
  bool next_staged(value_range& r) {
    if (!has_staged()) return false;
    r = staged_[returned_++];
    if (returned_ == staged_.size()) {
      staged_.clear();
      returned_ = 0;
    }
    return true;
  }
  /// Releases values of ranges that no other core knows.
  void forget(std::span<const value_range> ranges) {
    for (const value_range& r : ranges) give_back(*r.in.address(), r.count);
  }
  /// Takes the last value of ranges that no other core knows.
  void take_back(std::vector<value_range>& ranges, void* into) {
    value_range& last = ranges.back();
    chunk& c = *last.in.address();
    --last.count;
    std::memcpy(into, c.values() + (last.begin + last.count) * value_bytes_, value_bytes_);
    if (&c == current_ && last.begin + last.count + 1 == c.used) --c.used;
    if (last.count == 0) ranges.pop_back();
    give_back(c, 1);
  }

  /// Copies the values of ranges assigned to this core, in order. Suspends if some are in another process.
  /// Returns the memory to the owners of the ranges.
  void take(std::span<const value_range> ranges, std::byte* into);
  /// Does the same as take(), but copies no values.
  void drop(std::span<const value_range> ranges) {
    for (const value_range& r : ranges) done(r);
  }

 private:
  static constexpr std::size_t k_chunk_bytes = (64 << 10) - sizeof(chunk);
  static constexpr std::size_t k_spare = 4;

  struct taken_record {
    chunk* from;
    std::uint32_t count;
    void operator()(const message::dispatch&) const { from->home->give_back(*from, count); }
  };

  std::size_t bytes() const { return sizeof(chunk) + capacity_ * value_bytes_; }
  /// Ensures that the last of `ranges` ends where the next value goes, and that the chunk has space for it.
  void make_room(std::vector<value_range>& ranges) {
    if (current_ == nullptr || current_->used == capacity_) [[unlikely]]
      next_chunk();
    const auto self = static_cast<core_id>(fiber::scheduler::current()->id());
    if (ranges.empty() || ranges.back().in.address() != current_ ||
        ranges.back().begin + ranges.back().count != current_->used) [[unlikely]]
      ranges.push_back({{self, current_}, current_->used, 0});
  }
  void append(value_range& to, const void* values, std::uint32_t count) {
    std::memcpy(current_->values() + current_->used * value_bytes_, values, count * value_bytes_);
    to.count += count;
    current_->used += count;
    current_->left += count;
  }
  void next_chunk();
  void give_back(chunk& c, std::uint32_t count) {
    c.left -= count;
    if (c.left == 0) [[unlikely]]
      empty(c);
  }
  void empty(chunk& c);
  void free(chunk* c);
  void copy(const value_range& r, std::byte* into) const;
  void done(const value_range& r);

  chunk* current_ = nullptr;
  std::size_t value_bytes_ = 0;
  std::uint32_t capacity_ = 0;
  std::vector<chunk*> spare_, all_;
  std::vector<value_range> staged_;
  std::size_t returned_ = 0;  // of these, already returned
  std::optional<message::completion> taken_;  // counts notifications under way to owners
};

}  // namespace gossamer::combining
