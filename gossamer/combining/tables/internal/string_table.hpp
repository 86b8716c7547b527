#pragma once
// A flat_table with strings as keys: arguments are std::string_view, stored keys are in a string_arena of the
// table. An entry has the whole hash and the address of its key. A lookup reads the key's bytes only if all
// 64 bits agree, and growth does not read them at all.
//
// The memory of erased keys is reclaimed, within the bound of string_arena.hpp. So an insertion or erasure
// may also move less than 6 KiB of keys (about once for every 10 KiB erased).

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/combining/tables/internal/string_arena.hpp"
#include "gossamer/combining/tables/internal/table_core.hpp"
#include "gossamer/combining/tables/internal/table_hash.hpp"

namespace gossamer::combining {

/// Has the interface of flat_table<std::string_view, Value, Hash>, which documents it.
template <class Value, class Hash = table_hash<std::string_view>>
  requires std::is_trivially_copyable_v<Value>
class string_table {
  struct entry {
    std::uint64_t hash;
    string_arena::record key;
    [[no_unique_address]] Value value;
  };
  struct hash_of {
    std::uint64_t operator()(const entry& e) const noexcept { return e.hash; }
  };
  using core = table_core<entry, hash_of>;

 public:
  static constexpr std::size_t k_most_moved = core::k_most_moved;

  explicit string_table(std::pmr::memory_resource& memory) noexcept : core_(memory), arena_(core_.memory()) {}

  static std::uint64_t hash(std::string_view key) noexcept { return Hash{}(key); }

  Value* find(std::uint64_t hash, std::string_view key) const {
    entry* const e = core_.find(hash, is(hash, key));
    return e != nullptr ? &e->value : nullptr;
  }

  /// Inserts a copy of `key`, which may be stored in this table; `value` must not. Throws if memory does not
  /// suffice.
  std::pair<Value*, bool> insert(std::uint64_t hash, std::string_view key, const Value& value = {}) {
    GOSSAMER_DEBUG_ASSERT(hash == Hash{}(key), "the caller's hash is not the table's");
    if (Value* const there = find(hash, key); there != nullptr) return {there, false};
    const string_arena::record copy = arena_.add(key);
    entry* const e = new (claim_for(hash, copy)) entry{hash, copy, value};
    evacuate();
    return {&e->value, true};
  }

  bool erase(std::uint64_t hash, std::string_view key) {
    entry* const e = core_.find(hash, is(hash, key));
    if (e == nullptr) return false;
    const string_arena::record copy = e->key;
    core_.erase(hash, [copy](const entry& other) { return other.key == copy; });
    arena_.remove(copy);
    evacuate();
    return true;
  }

  /// Calls f(std::string_view, Value&) for each entry.
  template <class F>
  void for_each(F&& f) const {
    core_.for_each([&](entry& e) { f(string_arena::view(e.key), e.value); });
  }

  void clear() noexcept {
    core_.clear();
    arena_.clear();
  }

  const void* probable_address(std::uint64_t hash) const noexcept { return core_.probable_address(hash); }
  void prefetch(std::uint64_t hash) const noexcept { core_.prefetch(hash); }

  std::size_t size() const noexcept { return core_.size(); }
  /// Returns the bytes of entries and keys.
  std::size_t bytes() const noexcept { return core_.bytes(); }
  std::size_t moved() const noexcept { return core_.moved(); }

 private:
  static auto is(std::uint64_t hash, std::string_view key) {
    return [hash, key](const entry& e) { return e.hash == hash && string_arena::view(e.key) == key; };
  }

  entry* claim_for(std::uint64_t hash, string_arena::record copy) {
    try {
      return core_.claim(hash);
    } catch (...) {
      arena_.remove(copy);
      throw;
    }
  }

  void evacuate() noexcept {
    if (!arena_.has_sparse()) return;
    arena_.evacuate([this](string_arena::record r) {
      entry* const e =
          core_.find(Hash{}(string_arena::view(r)), [r](const entry& other) { return other.key == r; });
      return e != nullptr ? &e->key : nullptr;
    });
  }

  core core_;
  string_arena arena_;
};

}  // namespace gossamer::combining
