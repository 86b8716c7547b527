#pragma once
// The part of a global hash set or map that one core owns: keys with values, found by a hash that the caller
// brings along. Single-threaded: no locks, never suspends. Not the global structure itself, which decides
// by the hash's bits 46 to 63 which core owns a key; the table uses bits 0 to 45 (table_group.hpp).
//
// A lookup touches the directory (in cache: 8 bytes per ~700 entries) and mostly one or two lines of one
// group. Growth divides one segment of about 16 KiB at a time: no operation moves more than k_most_moved
// entries or copies more than the directory (table_core.hpp). A table does not shrink before clear().
//
// Addresses of keys and values hold until the next insertion or erasure. With no memory to grow, an insertion
// goes on while the segment has one free slot, then throws what the memory resource throws (std::bad_alloc);
// the table is as it was before. Hashes that agree in most bits cost time (a search through all that agree),
// not correctness.

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

/// Value may be an empty type, for sets: it takes no byte then. Hash must be the function that gives the
/// hashes that the caller passes: growth asks it again. Keys are compared by ==.
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
  /// The longest single operation: entries that an insertion moves at most (960 with 16 bytes each).
  static constexpr std::size_t k_most_moved = core::k_most_moved;

  /// Takes no memory before the first insertion. `memory` must outlive the table.
  explicit flat_table(std::pmr::memory_resource& memory) noexcept : core_(memory) {}

  static std::uint64_t hash(const Key& key) noexcept { return Hash{}(key); }

  Value* find(std::uint64_t hash, const Key& key) const {
    entry* const e = core_.find(hash, is(key));
    return e != nullptr ? &e->value : nullptr;
  }

  /// Leaves a value that is there alone, and says so: {its address, false}. Neither argument may lie in
  /// this table. Throws where there is no memory.
  std::pair<Value*, bool> insert(std::uint64_t hash, const Key& key, const Value& value = {}) {
    GOSSAMER_DEBUG_ASSERT(hash == Hash{}(key), "the caller's hash is not the table's");
    if (Value* const there = find(hash, key); there != nullptr) return {there, false};
    entry* const e = new (core_.claim(hash)) entry{key, value};
    return {&e->value, true};
  }

  /// Removes an entry. Returns false where it is not there.
  bool erase(std::uint64_t hash, const Key& key) { return core_.erase(hash, is(key)); }

  /// Calls f(const Key&, Value&) for each entry. The order means nothing, but is the same until the next
  /// insertion or erasure. f must not insert or erase.
  template <class F>
  void for_each(F&& f) const {
    core_.for_each([&](entry& e) { f(std::as_const(e.key), e.value); });
  }

  /// Gives all memory back.
  void clear() noexcept { core_.clear(); }

  /// Returns the line that find() looks at first; null in an empty table. For callers that may prefetch one line only.
  const void* probable_address(std::uint64_t hash) const noexcept { return core_.probable_address(hash); }
  /// Fetches that line and the one on which the entry lies most of the time.
  void prefetch(std::uint64_t hash) const noexcept { core_.prefetch(hash); }

  std::size_t size() const noexcept { return core_.size(); }
  /// Returns the bytes taken from the memory resource.
  std::size_t bytes() const noexcept { return core_.bytes(); }
  /// Counts the entries that growth has moved so far: at most k_most_moved in one insertion.
  std::size_t moved() const noexcept { return core_.moved(); }

 private:
  static auto is(const Key& key) {
    return [&key](const entry& e) { return e.key == key; };
  }

  core core_;
};

}  // namespace gossamer::combining
