#pragma once
// Hash map and hash set of the whole job. Linearizable: an operation takes effect when the owner of its key
// runs it. Only the owner answers lookups, unless lookups::from_pending is given. Equal operations of one
// core on the same key are sent once. In every mode blocking operations and those of the job's other
// structures are sequentially consistent (docs/guide.md, Shared structures); a call with many keys is one
// operation per key.
//
// A hash assigns each key to a core, its owner, which stores it in a table that grows incrementally
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

/// A handle of a map: trivially copyable, captured by value. Fibers of any core may use it. Key: trivially
/// copyable, or std::string, which methods take as std::string_view. Value: trivially copyable; key and value
/// of up to 500 bytes together take one message. Stacks of fibers hold several copies of a value: one of
/// more than 16 KiB needs larger stacks (GOSSAMER_STACK_BYTES); otherwise the program ends with a line that
/// says so. Every operation suspends until the owner of its key has answered. It throws std::bad_alloc if
/// memory does not suffice, and leaves the map unchanged.
///
/// An operation takes effect at the owner when the owner runs it. Merged requests of a core take effect at the same moment, one
/// after another: exactly the first that inserts (or erases) returns true.
///
/// The methods for many keys take contiguous ranges. Each key is a separate operation. They take effect in
/// any order, all of them before the call returns. Their messages are aggregated: at most two small messages
/// for each key of another core. If one throws, others may have taken effect.
template <class Key, class Value>
class hash_map : public combining::dictionary<Key, Value> {
  using result = combining::result;

 public:
  using typename combining::dictionary<Key, Value>::argument;

  /// Inserts the key if it is absent; otherwise its value is kept. Returns whether the key was absent.
  bool insert(argument key, const Value& value) const {
    return this->template request<combining::insertion<Value>>(key, value).done == result::yes;
  }
  /// Assigns `value` to the key. Returns whether the key was absent. Of concurrent assignments, the last one
  /// to reach the owner wins.
  bool insert_or_assign(argument key, const Value& value) const {
    return this->template request<combining::assignment<Value>>(key, value).done == result::yes;
  }
  /// Returns the owner's value, or nothing. Never answers from requests that this core has not made global yet,
  /// unless the map was made with lookups::from_pending.
  std::optional<Value> lookup(argument key) const {
    const auto found = this->template request<combining::finding<Value>>(key);
    if (found.done != result::yes) return std::nullopt;
    return found.value;
  }
  /// Erases the key. Returns whether it was present.
  bool erase(argument key) const {
    return this->template request<combining::erasure<Value>>(key).done == result::yes;
  }
  /// Inserts the value if the key is absent; otherwise replaces the old value by op(old, value). Returns whether
  /// the key was absent. Op captures nothing, and is associative and commutative, as std::plus<>.
  /// A core reduces its requests and sends one per key: for counts and sums of hot keys.
  template <class Op = std::plus<>>
  bool insert_or_reduce(argument key, const Value& value, Op = {}) const {
    return this->template request<combining::reduction<Value, Op>>(key, value).done == result::yes;
  }
  /// Runs f(Value&) at the owner if the key is present, and returns whether it is. f is copied as bytes and
  /// must not suspend; its exception is rethrown here. Calls do not merge.
  template <class F>
  bool update(argument key, F f) const {
    message::check_captures(f);
    return this->template request<combining::change<Value, F>>(key, f).done == result::yes;
  }
  /// Runs f(Value&) as update() does, but inserts the key with `value` if it is absent. Returns whether the key was
  /// absent.
  template <class F>
  bool insert_or_update(argument key, const Value& value, F f) const {
    message::check_captures(f);
    return this->template request<combining::value_or_change<Value, F>>(key, {value, f}).done == result::yes;
  }

  /// Performs insert(keys[k], values[k]) for every k.
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values>
  void insert_all(const Keys& keys, const Values& values) const {
    send_pairs<combining::insertion<Value>>(keys, values);
  }
  /// Performs insert_or_assign(keys[k], values[k]) for every k.
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values>
  void insert_or_assign_all(const Keys& keys, const Values& values) const {
    send_pairs<combining::assignment<Value>>(keys, values);
  }
  /// Performs insert_or_reduce(keys[k], values[k]) for every k. Values of equal keys are reduced before they
  /// are sent.
  template <std::ranges::contiguous_range Keys, std::ranges::contiguous_range Values, class Op = std::plus<>>
  void insert_or_reduce_all(const Keys& keys, const Values& values, Op = {}) const {
    check_sizes(std::ranges::size(keys), std::ranges::size(values));
    this->template reduce_all<combining::reduction<Value, Op>>(std::span(keys), std::span(values));
  }
  /// Stages a key with its value on this core, for a write-only phase: the first value of a key counts, and
  /// there is no answer. No request finds the key before insert_staged(). For fibers and handlers; does not
  /// suspend. Throws std::bad_alloc, and then the key is not staged.
  void stage(argument key, const Value& value) const {
    this->template stage_operation<combining::insertion<Value>>(key, value);
  }
  /// Stages a value to be reduced as by insert_or_reduce(). Values that this core stages for the same key are
  /// reduced at once. Otherwise as stage(). A phase uses stage() or stage_to_reduce(), not both.
  template <class Op = std::plus<>>
  void stage_to_reduce(argument key, const Value& value, Op = {}) const {
    this->template stage_operation<combining::reduction<Value, Op>>(key, value);
  }
  /// Ends a write-only phase: inserts, or reduces, what all cores have staged. By one fiber, while no core
  /// stages. Suspends until everything is inserted: a task on every core, and packed messages to the owners,
  /// about 1 KiB each. Throws std::bad_alloc if an owner lacks memory; then nothing remains staged, and some
  /// of it is inserted.
  void insert_staged() const { this->send_staged(); }
  /// Makes the map read-only until thaw(), and returns the handle for reading. By one fiber, after all
  /// changes. Suspends: a task on every core. An operation that changes a frozen map ends the program in one
  /// line.
  frozen_hash_map<Key, Value> freeze() const {
    this->set_frozen(true);
    return frozen_hash_map<Key, Value>(*this);
  }
  /// Ends the phase that freeze() began. By one fiber, once no fiber reads the frozen map; suspends.
  void thaw() const { this->set_frozen(false); }
  /// Sets into[k] to lookup(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void lookup_all(const Keys& keys, std::span<std::optional<Value>> into) const {
    check_sizes(std::ranges::size(keys), into.size());
    this->template request_all<combining::finding<Value>>(
        std::span(keys), [into](std::size_t k, const combining::outcome<Value>& found) {
          into[k] = found.done == result::yes ? std::optional(found.value) : std::nullopt;
        });
  }
  /// Performs erase(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys) const {
    this->template send_all<combining::erasure<Value>>(std::span(keys),
                                                       [](std::size_t) { return combining::no_value(); });
  }
  /// Erases the keys, and sets into[k] to whether keys[k] was present, as erase(keys[k]) returns.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys, std::span<bool> into) const {
    this->template request_flags<combining::erasure<Value>>(std::span(keys), into);
  }

 private:
  template <class Operation, class Keys, class Values>
  void send_pairs(const Keys& keys, const Values& values) const {
    check_sizes(std::ranges::size(keys), std::ranges::size(values));
    this->template send_all<Operation>(std::span(keys),
                                       [all = std::span(values)](std::size_t k) -> decltype(auto) {
                                         return combining::as_value<Value>(all[k]);
                                       });
  }
  static void check_sizes(std::size_t keys, std::size_t values) {
    GOSSAMER_ASSERT(keys == values, "hash map: as many values as keys");
  }
};

/// A handle of a set: a hash_map without values.
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
  /// Returns whether the owner has the key. Never answers from requests that this core has not made global yet,
  /// unless the set was made with lookups::from_pending.
  bool contains(argument key) const {
    return this->template request<combining::finding<none>>(key).done == result::yes;
  }
  /// Erases the key. Returns whether it was present.
  bool erase(argument key) const {
    return this->template request<combining::erasure<none>>(key).done == result::yes;
  }

  /// Performs insert(keys[k]) for every k. A message to an owner carries as many keys as fit a packet.
  template <std::ranges::contiguous_range Keys>
  void insert_all(const Keys& keys) const {
    this->template send_all<combining::insertion<none>>(std::span(keys), nothing);
  }
  /// Inserts the keys, and sets into[k] to whether keys[k] was absent, as insert(keys[k]) returns.
  template <std::ranges::contiguous_range Keys>
  void insert_all(const Keys& keys, std::span<bool> into) const {
    this->template request_flags<combining::insertion<none>>(std::span(keys), into);
  }
  /// Stages a key on this core, for a write-only phase; there is no answer. No request finds it before
  /// insert_staged(). For fibers and handlers; does not suspend. Throws std::bad_alloc, and then the key is
  /// not staged.
  void stage(argument key) const { this->template stage_operation<combining::insertion<none>>(key, {}); }
  /// Ends a write-only phase: inserts what all cores have staged, as hash_map::insert_staged() does.
  void insert_staged() const { this->send_staged(); }
  /// Makes the set read-only until thaw(), as hash_map::freeze() does.
  frozen_hash_set<Key> freeze() const {
    this->set_frozen(true);
    return frozen_hash_set<Key>(*this);
  }
  /// Ends the phase that freeze() began. By one fiber, once no fiber reads the frozen set; suspends.
  void thaw() const { this->set_frozen(false); }
  /// Sets into[k] to contains(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void contains_all(const Keys& keys, std::span<bool> into) const {
    this->template request_flags<combining::finding<none>>(std::span(keys), into);
  }
  /// Performs erase(keys[k]) for every k.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys) const {
    this->template send_all<combining::erasure<none>>(std::span(keys), nothing);
  }
  /// Erases the keys, and sets into[k] to whether keys[k] was present, as erase(keys[k]) returns.
  template <std::ranges::contiguous_range Keys>
  void erase_all(const Keys& keys, std::span<bool> into) const {
    this->template request_flags<combining::erasure<none>>(std::span(keys), into);
  }

 private:
  static none nothing(std::size_t) { return {}; }
};

/// Owns a map. Any one fiber makes and destroys it, and suspends. No fiber may use the map when it is destroyed.
template <class Key, class Value>
class scoped_hash_map : public hash_map<Key, Value> {
 public:
  /// Does not compile: capture handle().
  scoped_hash_map(const scoped_hash_map&) : scoped_hash_map(combine::off) { refuse_copy<scoped_hash_map>(); }
  /// Makes an empty map, with a table on every core. With lookups::from_pending a lookup may be answered by a
  /// pending assignment of the same core: such lookups are neither linearizable nor sequentially consistent
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

/// Owns a set; like scoped_hash_map.
template <class Key>
class scoped_hash_set : public hash_set<Key> {
 public:
  /// Does not compile: capture handle().
  scoped_hash_set(const scoped_hash_set&) : scoped_hash_set(combine::off) { refuse_copy<scoped_hash_set>(); }
  /// Makes an empty set, with a table on every core. With lookups::from_pending a lookup may be answered by a
  /// pending insertion of the same core: such lookups are neither linearizable nor sequentially consistent
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
