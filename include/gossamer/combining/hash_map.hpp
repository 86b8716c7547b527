#pragma once
// Hash map and hash set of the whole job. Linearizable: an operation takes effect when the owner of its key
// runs its question; lookups answer from there and from nowhere else. Operations of one core for the same key
// that do the same travel once.
//
// Each core owns the keys whose hash says so, in a table that grows by itself, piece by piece
// (flat_table.hpp).

#include <cstdint>
#include <optional>

#include "gossamer/combining/dictionary.hpp"

namespace gossamer {

/// A handle: trivially copyable, captured by value; from fibers of any core. Every operation suspends until
/// its key's owner has answered, and throws std::bad_alloc where there is no memory; the map is then as it
/// was.
template <class Key, class Value>
class hash_map : public combining::dictionary<Key, Value> {
  using verb = combining::verb;
  using result = combining::result;

 public:
  /// Whether the key was not there: one that is keeps its value.
  bool insert(const Key& key, const Value& value) const {
    return this->template request<verb::insert>(key, value).done == result::yes;
  }
  /// Whether the key was not there. Of several at the same time the last one's value stays.
  bool insert_or_assign(const Key& key, const Value& value) const {
    return this->template request<verb::assign>(key, value).done == result::yes;
  }
  std::optional<Value> lookup(const Key& key) const {
    const auto found = this->template request<verb::lookup>(key);
    return found.done == result::yes ? std::optional(found.value) : std::nullopt;
  }
  /// Whether the key was there.
  bool erase(const Key& key) const { return this->template request<verb::erase>(key).done == result::yes; }
};

/// The same without values.
template <class Key>
class hash_set : public combining::dictionary<Key, combining::no_value> {
  using verb = combining::verb;
  using result = combining::result;

 public:
  /// Whether the key was not there.
  bool insert(const Key& key) const { return this->template request<verb::insert>(key).done == result::yes; }
  bool contains(const Key& key) const {
    return this->template request<verb::lookup>(key).done == result::yes;
  }
  /// Whether the key was there.
  bool erase(const Key& key) const { return this->template request<verb::erase>(key).done == result::yes; }
};

/// Owns one, empty. Made and destroyed by any one fiber, which suspends. Nobody may be using it when it ends.
template <class Key, class Value>
class scoped_hash_map : public hash_map<Key, Value> {
 public:
  explicit scoped_hash_map(combine where = combining::by_default()) : owned_("hash map", where) {
    this->shards_ = owned_.shards();
    this->requests_ = owned_.requests();
    this->merges_ = owned_.merges();
  }
  hash_map<Key, Value> handle() const { return *this; }

 private:
  combining::scoped_dictionary<Key, Value> owned_;
};

template <class Key>
class scoped_hash_set : public hash_set<Key> {
 public:
  explicit scoped_hash_set(combine where = combining::by_default()) : owned_("hash set", where) {
    this->shards_ = owned_.shards();
    this->requests_ = owned_.requests();
    this->merges_ = owned_.merges();
  }
  hash_set<Key> handle() const { return *this; }

 private:
  combining::scoped_dictionary<Key, combining::no_value> owned_;
};

}  // namespace gossamer
