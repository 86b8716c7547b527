#pragma once
// Hash sets and maps that are read-only, from freeze() to thaw(). A lookup reads the table of a core of its
// own process in place: no message, no suspension. A key of another process takes one request, and the core
// caches the answers of up to 65,536 keys. Lookups are linearizable, because nothing changes.

#include <optional>

#include "gossamer/combining/tables/internal/dictionary.hpp"

namespace gossamer {

/// The handle that hash_set::freeze() returns: trivially copyable, captured by value. A use after thaw() ends the program in one
/// line.
template <class Key>
class frozen_hash_set : private combining::dictionary<Key, combining::no_value> {
  using base = combining::dictionary<Key, combining::no_value>;

 public:
  using base::size;
  using typename base::argument;

  /// Makes a handle of a frozen set.
  explicit frozen_hash_set(const base& of) : base(of) {}
  /// Returns whether the set has the key. For fibers, and for handlers if a core of this process owns the
  /// key. Suspends if another process owns the key and the answer is not cached.
  bool contains(argument key) const { return this->find_frozen(key).done == combining::result::yes; }
};

/// The handle that hash_map::freeze() returns; like frozen_hash_set.
template <class Key, class Value>
class frozen_hash_map : private combining::dictionary<Key, Value> {
  using base = combining::dictionary<Key, Value>;

 public:
  using base::size;
  using typename base::argument;

  /// Makes a handle of a frozen map.
  explicit frozen_hash_map(const base& of) : base(of) {}
  /// Returns the value of the key, or nothing. For fibers, and for handlers if a core of this process owns
  /// the key. Suspends if another process owns the key and the answer is not cached.
  std::optional<Value> lookup(argument key) const {
    const auto found = this->find_frozen(key);
    if (found.done != combining::result::yes) return std::nullopt;
    return found.value;
  }
};

}  // namespace gossamer
