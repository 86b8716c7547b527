#pragma once
// Hash map and hash set of the whole job. Linearizable: an operation takes effect when the owner of its key
// runs its question; lookups answer from there and, unless lookups::from_pending is asked for, from nowhere else.
// Operations of one core for the same key that do the same travel once. In every mode blocking operations and those of the job's other structures are
// sequentially consistent (docs/guide.md, Shared structures); the forms for many keys are an operation for each key.
//
// Each core owns the keys whose hash says so, in a table that grows by itself, piece by piece
// (flat_table.hpp, string_table.hpp).

#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/frozen_tables.hpp"
#include "gossamer/combining/tables/internal/dictionary.hpp"

namespace gossamer {

/// A handle: trivially copyable, captured by value; from fibers of any core. Key: trivially copyable, or
/// std::string, which methods take as std::string_view. Value: trivially copyable, of any size; up to 500
/// bytes, key and value together, go in one message. Every operation suspends until its key's owner has
/// answered, and throws std::bad_alloc where there is no memory; the map is then as it was.
///
/// All take effect at the owner, at the moment at which it runs the question; requests of a core that have
/// merged do so at the same moment, one behind the other: the first of them that inserts or erases is the one
/// that is told so.
///
/// The forms for many keys at once take contiguous ranges; each key is an operation of its own, and they take
/// effect in any order, all of them before the call returns. What they send is aggregated, two small messages
/// for each key of another core at most. Where one throws, others may have taken effect.
template <class Key, class Value>
class hash_map : public combining::dictionary<Key, Value> {
  using result = combining::result;

 public:
  using typename combining::dictionary<Key, Value>::argument;

  /// Inserts the key where it is absent; one that is there keeps its value. Returns whether it was absent.
  bool insert(argument key, const Value& value) const {
    return this->template request<combining::insertion<Value>>(key, value).done == result::yes;
  }
  /// Assigns `value` to the key. Returns whether the key was absent. Of several at the same time the last
  /// one's value stays.
  bool insert_or_assign(argument key, const Value& value) const {
    return this->template request<combining::assignment<Value>>(key, value).done == result::yes;
  }
  /// Returns the value that the owner has, or nothing. Never answers from what this core has yet to make
  /// global, unless the map was made with lookups::from_pending.
  std::optional<Value> lookup(argument key) const {
    const auto found = this->template request<combining::finding<Value>>(key);
    if (found.done != result::yes) return std::nullopt;
    return found.value;
  }
  /// Erases the key. Returns whether it was there.
  bool erase(argument key) const {
    return this->template request<combining::erasure<Value>>(key).done == result::yes;
  }
  /// Inserts the value, or replaces the one that is there by op(value that is there, value). Returns whether
  /// the key was absent. Op is a type that captures nothing, associative and commutative, as std::plus<>.
  /// Requests of a core are reduced there, and travel once for each key: for counts and sums of hot keys.
  template <class Op = std::plus<>>
  bool insert_or_reduce(argument key, const Value& value, Op = {}) const {
    return this->template request<combining::reduction<Value, Op>>(key, value).done == result::yes;
  }
  /// Runs f(Value&) at the owner where the key is there. Returns whether it is. f is copied as bytes and does
  /// not suspend; what it throws comes here. Each call travels alone.
  template <class F>
  bool update(argument key, F f) const {
    message::check_captures(f);
    return this->template request<combining::change<Value, F>>(key, f).done == result::yes;
  }
  /// Does the same as update(), but inserts the key with `value` where it is absent. Returns whether it was
  /// absent.
  template <class F>
  bool insert_or_update(argument key, const Value& value, F f) const {
    message::check_captures(f);
    return this->template request<combining::value_or_change<Value, F>>(key, {value, f}).done == result::yes;
  }

  /// Performs insert(keys[k], values[k]) for every k.
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values>
  void insert_all(const Keys& keys, const Values& values) const {
    send_all<combining::insertion<Value>>(keys, values);
  }
  /// Inserts keys[k] with values[k], or assigns it; otherwise as insert_all().
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values>
  void insert_or_assign_all(const Keys& keys, const Values& values) const {
    send_all<combining::assignment<Value>>(keys, values);
  }
  /// Performs insert_or_reduce(keys[k], values[k]) for every k. Keys that come several times are reduced
  /// before they travel.
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values, class Op = std::plus<>>
  void insert_or_reduce_all(const Keys& keys, const Values& values, Op = {}) const {
    check_sizes(std::ranges::size(keys), std::ranges::size(values));
    this->template reduce_all<combining::reduction<Value, Op>>(std::span(keys), std::span(values));
  }
  /// Puts a key with its value aside on this core, in a phase in which cores only write: each key once, its first value, without
  /// an answer. No request finds it before insert_staged(). Also in handlers; does not suspend. Throws std::bad_alloc, and then
  /// it is not aside.
  void stage(argument key, const Value& value) const {
    this->template put_aside<combining::insertion<Value>>(key, value);
  }
  /// Puts a value aside that is to be reduced, as insert_or_reduce() does; with those of this core for the key at once.
  /// Otherwise as stage(), and not in one phase with it.
  template <class Op = std::plus<>>
  void stage_to_reduce(argument key, const Value& value, Op = {}) const {
    this->template put_aside<combining::reduction<Value, Op>>(key, value);
  }
  /// Ends a phase in which cores only write: inserts, or reduces, what all cores have staged. By one fiber, while no other stages.
  /// Suspends until all is in: a task on every core, and packed messages to the owners, about 1 KiB each. Throws
  /// std::bad_alloc where an owner has no memory; what was staged is gone then, and some of it is in.
  void insert_staged() const { this->send_aside(); }
  /// Begins a phase without changes, which lasts until thaw(). By one fiber, after all changes; suspends: a task on every core.
  /// An operation that changes the map in it ends the program with a line.
  frozen_hash_map<Key, Value> freeze() const {
    this->set_frozen(true);
    return frozen_hash_map<Key, Value>(*this);
  }
  /// Ends that phase. By one fiber, once nothing reads it any more; suspends.
  void thaw() const { this->set_frozen(false); }
  /// Sets into[k] to lookup(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void lookup_all(const Keys& keys, std::span<std::optional<Value>> into) const {
    check_sizes(std::ranges::size(keys), into.size());
    this->template ask_all<combining::finding<Value>>(
        std::span(keys), [into](std::size_t k, const combining::outcome<Value>& found) {
          into[k] = found.done == result::yes ? std::optional(found.value) : std::nullopt;
        });
  }
  /// Erases all of the keys; otherwise as insert_all().
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys) const {
    this->template tell_all<combining::erasure<Value>>(std::span(keys),
                                                       [](std::size_t) { return combining::no_value(); });
  }
  /// Does the same, and sets into[k] to whether keys[k] was there, as erase(keys[k]) says.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys, std::span<bool> into) const {
    this->template tell_which<combining::erasure<Value>>(std::span(keys), into);
  }

 private:
  template <class Operation, class Keys, class Values>
  void send_all(const Keys& keys, const Values& values) const {
    check_sizes(std::ranges::size(keys), std::ranges::size(values));
    this->template tell_all<Operation>(
        std::span(keys), [all = std::span(values)](std::size_t k) -> const Value& { return all[k]; });
  }
  static void check_sizes(std::size_t keys, std::size_t values) {
    GOSSAMER_ASSERT(keys == values, "hash map: as many values as keys");
  }
};

/// The same without values.
template <class Key>
class hash_set : public combining::dictionary<Key, combining::no_value> {
  using result = combining::result;
  using none = combining::no_value;

 public:
  using typename combining::dictionary<Key, none>::argument;

  /// Inserts the key. Returns whether it was absent.
  bool insert(argument key) const {
    return this->template request<combining::insertion<none>>(key).done == result::yes;
  }
  /// Returns whether the owner has the key. Never answers from what this core has yet to make global, unless the
  /// set was made with lookups::from_pending.
  bool contains(argument key) const {
    return this->template request<combining::finding<none>>(key).done == result::yes;
  }
  /// Erases the key. Returns whether it was there.
  bool erase(argument key) const {
    return this->template request<combining::erasure<none>>(key).done == result::yes;
  }

  /// Inserts all of the keys: each owner is asked once for a packetful of them.
  template <std::ranges::contiguous_range Keys>
  void insert_all(const Keys& keys) const {
    this->template tell_all<combining::insertion<none>>(std::span(keys), nothing);
  }
  /// Does the same, and sets into[k] to whether keys[k] was absent, as insert(keys[k]) says.
  template <std::ranges::contiguous_range Keys>
  void insert_all(const Keys& keys, std::span<bool> into) const {
    this->template tell_which<combining::insertion<none>>(std::span(keys), into);
  }
  /// Puts the key aside on this core, in a phase in which cores only write: each key once, without an answer. No request finds
  /// it before insert_staged(). Also in handlers; does not suspend. Throws std::bad_alloc, and then it is not aside.
  void stage(argument key) const { this->template put_aside<combining::insertion<none>>(key, {}); }
  /// Ends a phase in which cores only write: inserts what all cores have staged; as that of hash_map.
  void insert_staged() const { this->send_aside(); }
  /// Begins a phase without changes, which lasts until thaw(); as that of hash_map.
  frozen_hash_set<Key> freeze() const {
    this->set_frozen(true);
    return frozen_hash_set<Key>(*this);
  }
  /// Ends that phase. By one fiber, once nothing reads it any more; suspends.
  void thaw() const { this->set_frozen(false); }
  /// Sets into[k] to contains(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void contains_all(const Keys& keys, std::span<bool> into) const {
    this->template tell_which<combining::finding<none>>(std::span(keys), into);
  }
  /// Erases all of the keys; otherwise as insert_all().
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys) const {
    this->template tell_all<combining::erasure<none>>(std::span(keys), nothing);
  }
  /// Does the same, and sets into[k] to whether keys[k] was there, as erase(keys[k]) says.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys, std::span<bool> into) const {
    this->template tell_which<combining::erasure<none>>(std::span(keys), into);
  }

 private:
  static none nothing(std::size_t) { return {}; }
};

/// Owns one, empty. Made and destroyed by any one fiber, which suspends. Not used any more when it ends.
template <class Key, class Value>
class scoped_hash_map : public hash_map<Key, Value> {
 public:
  /// Does not compile: capture handle().
  scoped_hash_map(const scoped_hash_map&) : scoped_hash_map(combine::off) { refuse_copy<scoped_hash_map>(); }
  /// Makes an empty map, with a table on every core. With lookups::from_pending a lookup of a key that a fiber of the
  /// same core is assigning may be answered at once: that is neither linearizable nor sequentially consistent
  /// (docs/combining.md).
  explicit scoped_hash_map(combine where = combining::by_default(), lookups from = lookups::at_owner)
      : owned_(where, from) {
    this->to_ = owned_.to();
    this->requests_ = owned_.requests();
  }
  /// Returns the handle to capture.
  hash_map<Key, Value> handle() const { return *this; }

 private:
  combining::scoped_dictionary<Key, Value> owned_;
};

/// Owns a set; as scoped_hash_map.
template <class Key>
class scoped_hash_set : public hash_set<Key> {
 public:
  /// Does not compile: capture handle().
  scoped_hash_set(const scoped_hash_set&) : scoped_hash_set(combine::off) { refuse_copy<scoped_hash_set>(); }
  /// Makes an empty set, with a table on every core. With lookups::from_pending a lookup of a key that a fiber of the
  /// same core is inserting may be answered at once: that is neither linearizable nor sequentially consistent
  /// (docs/combining.md).
  explicit scoped_hash_set(combine where = combining::by_default(), lookups from = lookups::at_owner)
      : owned_(where, from) {
    this->to_ = owned_.to();
    this->requests_ = owned_.requests();
  }
  /// Returns the handle to capture.
  hash_set<Key> handle() const { return *this; }

 private:
  combining::scoped_dictionary<Key, combining::no_value> owned_;
};

}  // namespace gossamer
