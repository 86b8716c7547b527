#pragma once
// The part of a global hash set or map that one core owns: keys with values, found by a hash that the caller
// passes. Single-threaded: no locks, never suspends. The global structure chooses the owner of a key by bits
// 46 to 63 of the hash; the table uses bits 0 to 45 (table_tags.hpp).
//
// A lookup reads the directory (in cache: 8 bytes per ~700 entries) and usually one or two cache lines of one
// group. Growth splits one segment of about 16 KiB at a time: no operation moves more than k_most_moved
// entries or copies more than the directory (table_core.hpp). A table does not shrink before clear().
//
// Addresses of keys and values are valid until the next insertion or erasure. If memory for growth is
// lacking, insertions succeed while the segment has one free slot. Then they throw the exception of the
// memory resource (std::bad_alloc) and leave the table unchanged. Hashes that agree in most bits cost time (a
// linear search of those that agree), not correctness.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/combining/tables/internal/table_core.hpp"
#include "gossamer/combining/tables/internal/table_hash.hpp"

namespace gossamer::combining {

/// Value may be an empty type, for sets: it takes no byte then. Hash must be the function that computes the
/// hashes that the caller passes: growth calls it again. Keys are compared by ==.
template <class Key, class Value, class Hash = table_hash<Key>>
  requires std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>
class flat_table {
  struct entry {
    Key key;
    [[no_unique_address]] Value value;
  };
  static_assert(!std::is_empty_v<Value> || sizeof(entry) == sizeof(Key));
  struct hash_of {
    std::uint64_t operator()(const entry& e) const noexcept { return Hash{}(e.key); }
  };
  using core = table_core<entry, hash_of>;

 public:
  /// Bounds the longest single operation: the number of entries that an insertion moves at most (960 with 16
  /// bytes each).
  static constexpr std::size_t k_most_moved = core::k_most_moved;

  /// Makes an empty table. Allocates nothing before the first insertion. `memory` must outlive the table.
  explicit flat_table(std::pmr::memory_resource& memory) noexcept : core_(memory) {}

  static std::uint64_t hash(const Key& key) noexcept { return Hash{}(key); }

  Value* find(std::uint64_t hash, const Key& key) const {
    entry* const e = core_.find(hash, is(key));
    return e != nullptr ? &e->value : nullptr;
  }

  /// Inserts an entry if the key is absent; otherwise returns {address of the present value, false}. Neither
  /// argument may be stored in this table. Throws if memory does not suffice.
  std::pair<Value*, bool> insert(std::uint64_t hash, const Key& key, const Value& value = {}) {
    GOSSAMER_DEBUG_ASSERT(hash == Hash{}(key), "the caller's hash is not the table's");
    if (Value* const there = find(hash, key); there != nullptr) return {there, false};
    entry* const e = new (core_.claim(hash)) entry{key, value};
    return {&e->value, true};
  }

  /// Erases an entry. Returns false if the key is absent.
  bool erase(std::uint64_t hash, const Key& key) { return core_.erase(hash, is(key)); }

  /// Calls f(const Key&, Value&) for each entry, in an arbitrary order that stays the same until the next
  /// insertion or erasure. f must not insert or erase.
  template <class F>
  void for_each(F&& f) const {
    core_.for_each([&](entry& e) { f(std::as_const(e.key), e.value); });
  }

  /// Removes all entries and frees the memory.
  void clear() noexcept { core_.clear(); }

  /// Returns the cache line that find() reads first; null in an empty table. For callers that may prefetch
  /// only one line.
  const void* probable_address(std::uint64_t hash) const noexcept { return core_.probable_address(hash); }
  /// Prefetches that cache line and the one that most probably has the entry.
  void prefetch(std::uint64_t hash) const noexcept { core_.prefetch(hash); }

  std::size_t size() const noexcept { return core_.size(); }
  /// Returns the bytes allocated from the memory resource.
  std::size_t bytes() const noexcept { return core_.bytes(); }
  /// Returns the number of entries that growth has moved so far: at most k_most_moved in one insertion.
  std::size_t moved() const noexcept { return core_.moved(); }

 private:
  static auto is(const Key& key) {
    return [&key](const entry& e) { return e.key == key; };
  }

  core core_;
};

}  // namespace gossamer::combining
