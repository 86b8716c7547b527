#pragma once
// Hash sets and maps in a phase in which nothing changes them, from freeze() to thaw(). A lookup reads the table of a core of
// the own process in place: no message, no suspension. Of a key of another process it asks once, and the core keeps the
// answer (65,536 of them). Linearizable as nothing changes.

#include <optional>

#include "gossamer/combining/tables/internal/dictionary.hpp"

namespace gossamer {

/// What hash_set::freeze() returns. A handle: trivially copyable, captured by value. Used after thaw() it ends the program with a
/// line.
template <class Key>
class frozen_hash_set : private combining::dictionary<Key, combining::no_value> {
  using base = combining::dictionary<Key, combining::no_value>;

 public:
  using base::size;
  using typename base::argument;

  /// Reads that set, which is frozen.
  explicit frozen_hash_set(const base& of) : base(of) {}
  /// Returns whether the set has the key. From fibers; also in handlers where a core of this process owns the key.
  bool contains(argument key) const { return this->find_frozen(key).done == combining::result::yes; }
};

/// What hash_map::freeze() returns; as frozen_hash_set.
template <class Key, class Value>
class frozen_hash_map : private combining::dictionary<Key, Value> {
  using base = combining::dictionary<Key, Value>;

 public:
  using base::size;
  using typename base::argument;

  /// Reads that map, which is frozen.
  explicit frozen_hash_map(const base& of) : base(of) {}
  /// Returns the value of the key, or nothing. From fibers; also in handlers where a core of this process owns the key.
  std::optional<Value> lookup(argument key) const {
    const auto found = this->find_frozen(key);
    if (found.done != combining::result::yes) return std::nullopt;
    return found.value;
  }
};

}  // namespace gossamer
