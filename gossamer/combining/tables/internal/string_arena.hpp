#pragma once
// The bytes of a string_table's keys, in chunks of 16 KiB; a string of more than half a chunk has a chunk of
// its own. Removing a string frees no memory by itself, but a chunk without strings is freed. A chunk that is
// less than 3/8 full is sparse: the table evacuates it. So all chunks except the sparse ones and the one
// being filled are at least 3/8 full.
//
// A record is its length, in 4 bytes, and its bytes. Chunks are aligned to their size, so the address of a
// record determines its chunk.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/combining/tables/internal/table_memory.hpp"

namespace gossamer::combining {

class string_arena {
 public:
  using record = const std::byte*;

  explicit string_arena(table_memory& memory) noexcept : memory_(memory) {}
  ~string_arena() { clear(); }
  string_arena(const string_arena&) = delete;
  string_arena& operator=(const string_arena&) = delete;

  static std::string_view view(record r) noexcept {
    std::uint32_t size = 0;
    std::memcpy(&size, r, sizeof size);
    return {reinterpret_cast<const char*>(r + sizeof size), size};
  }

  /// Adds a record. Throws if memory does not suffice, and then leaves the arena unchanged.
  record add(std::string_view text) {
    GOSSAMER_ASSERT(text.size() <= std::numeric_limits<std::uint32_t>::max() / 2, "a key of more than 2 GiB");
    const std::size_t bytes = record_bytes(text);
    if (bytes > k_most_shared) return write(*make_chunk(sizeof(chunk) + bytes), text);
    if (current_ == nullptr || current_->used + bytes > k_chunk_bytes) {
      chunk* const fresh = make_chunk(k_chunk_bytes);
      chunk* const filled = current_;
      current_ = fresh;
      if (filled != nullptr) reclassify(*filled);
    }
    return write(*current_, text);
  }

  void remove(record r) noexcept {
    chunk& c = chunk_of(r);
    c.live -= record_bytes(view(r));
    reclassify(c);
  }

  bool has_sparse() const noexcept { return sparse_ != nullptr; }

  /// Moves the live records of one sparse chunk, less than 6 KiB, to other chunks, and frees it. find(record)
  /// returns the place that stores this record's address, or null if it was removed. If memory does not
  /// suffice, the chunk stays.
  template <class Find>
  void evacuate(const Find& find) noexcept {
    chunk* const c = sparse_;
    for (std::size_t at = sizeof(chunk); c->live > 0 && at < c->used;) {
      const record r = reinterpret_cast<record>(c) + at;
      at += record_bytes(view(r));
      record* const holder = find(r);
      if (holder == nullptr) continue;
      try {
        *holder = add(view(r));
      } catch (...) {
        return;
      }
      c->live -= record_bytes(view(r));
    }
    unlink_sparse(*c);
    free_chunk(c);
  }

  void clear() noexcept {
    while (all_ != nullptr) free_chunk(all_);
    current_ = sparse_ = nullptr;
  }

 private:
  static constexpr std::size_t k_chunk_bytes = 16 << 10, k_most_shared = k_chunk_bytes / 2;
  static constexpr std::size_t k_sparse = k_chunk_bytes * 3 / 8;

  struct chunk {
    chunk* next;
    chunk* previous;
    chunk* next_sparse;
    std::size_t size;
    std::size_t used;  // this header included
    std::size_t live;  // bytes of records that have not been removed
    bool is_sparse;
  };

  /// Returns a whole multiple of 8, so that a chunk holds 2,048 records at most.
  static std::size_t record_bytes(std::string_view text) noexcept {
    return round_up(sizeof(std::uint32_t) + text.size(), 8);
  }
  static chunk& chunk_of(record r) noexcept {
    const auto into = reinterpret_cast<std::uintptr_t>(r) % k_chunk_bytes;
    return *reinterpret_cast<chunk*>(const_cast<std::byte*>(r) - into);
  }

  static record write(chunk& c, std::string_view text) noexcept {
    std::byte* const at = reinterpret_cast<std::byte*>(&c) + c.used;
    const auto size = static_cast<std::uint32_t>(text.size());
    std::memcpy(at, &size, sizeof size);
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), at + sizeof size);
    c.used += record_bytes(text);
    c.live += record_bytes(text);
    return at;
  }

  /// Frees a chunk if it is empty, and lists it as sparse if it is.
  void reclassify(chunk& c) noexcept {
    if (&c == current_ || c.is_sparse) return;
    if (c.live == 0) {
      free_chunk(&c);
    } else if (c.live < k_sparse && c.size == k_chunk_bytes) {
      c.is_sparse = true;
      c.next_sparse = sparse_;
      sparse_ = &c;
    }
  }

  void unlink_sparse(chunk& c) noexcept {
    chunk** link = &sparse_;  // recently added chunks are at the front
    while (*link != &c) link = &(*link)->next_sparse;
    *link = c.next_sparse;
  }

  chunk* make_chunk(std::size_t size) {
    auto* const c = new (memory_.allocate(size, k_chunk_bytes))
        chunk{all_, nullptr, nullptr, size, sizeof(chunk), 0, false};
    if (all_ != nullptr) all_->previous = c;
    return all_ = c;
  }
  void free_chunk(chunk* c) noexcept {
    (c->previous != nullptr ? c->previous->next : all_) = c->next;
    if (c->next != nullptr) c->next->previous = c->previous;
    memory_.deallocate(c, c->size, k_chunk_bytes);
  }

  table_memory& memory_;
  chunk* all_ = nullptr;
  chunk* current_ = nullptr;  // the chunk that add() fills
  chunk* sparse_ = nullptr;
};

}  // namespace gossamer::combining
