#pragma once
// One core's part of a hash set or map, and the operations on a key. An operation has
//   sent                                the type of its argument, sent with the key
//   apply(table, hash, key, sent)       runs at the owner, where the operation takes effect
//   merge(first, later)                 combines the arguments of requests of one batch for one key
//   k_shared                            the answer is for all requests, not only for the first
//   k_answers                           the answer has a value

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/combining/tables/internal/key_carrier.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/memory/heap.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer::combining {

/// What an owner answers.
enum class result : std::uint8_t { no, yes, no_memory };

struct no_value {};

template <class Value>
struct outcome {
  result done = result::no;
  [[no_unique_address]] Value value{};
};

template <class Value>
struct insertion {
  using sent = Value;
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent& value) {
    return {t.insert(hash, key, value).second ? result::yes : result::no};
  }
  static void merge(sent&, const sent&) {}
};

/// Assigns a value. Of several assignments in a batch the last one's value remains.
template <class Value>
struct assignment {
  using sent = Value;
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent& value) {
    const auto [at, made] = t.insert(hash, key, value);
    if (!made) *at = value;
    return {made ? result::yes : result::no};
  }
  static void merge(sent& first, const sent& later) { first = later; }
};

template <class Value>
struct finding {
  using sent = no_value;
  static constexpr bool k_shared = true, k_answers = true;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent&) {
    const Value* const found = t.find(hash, key);
    return found != nullptr ? outcome<Value>{result::yes, *found} : outcome<Value>{};
  }
  static void merge(sent&, const sent&) {}
};

template <class Value>
struct erasure {
  using sent = no_value;
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent&) {
    return {t.erase(hash, key) ? result::yes : result::no};
  }
  static void merge(sent&, const sent&) {}
};

/// Replaces a value by Op(old, value); Op is associative and commutative.
template <class Value, class Op>
struct reduction {
  static_assert(std::is_empty_v<Op>, "what reduces values is a type: it captures nothing");
  using sent = Value;
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent& value) {
    const auto [at, made] = t.insert(hash, key, value);
    if (!made) *at = Op{}(std::as_const(*at), value);
    return {made ? result::yes : result::no};
  }
  static void merge(sent& first, const sent& later) { first = Op{}(std::as_const(first), later); }
};

/// Runs F(value) if the key is present.
template <class Value, class F>
struct change {
  using sent = F;
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent& f) {
    Value* const found = t.find(hash, key);
    if (found == nullptr) return {};
    F mine(f);
    mine(*found);
    return {result::yes};
  }
};

template <class Value, class F>
struct value_or_change {
  struct sent {
    Value value;
    F f;
  };
  static constexpr bool k_shared = false, k_answers = false;
  template <class Table, class Key>
  static outcome<Value> apply(Table& t, std::uint64_t hash, const Key& key, const sent& s) {
    const auto [at, made] = t.insert(hash, key, s.value);
    F mine(s.f);
    if (!made) mine(*at);
    return {made ? result::yes : result::no};
  }
};

/// One core's part of a set or map.
template <class Key, class Value>
class shard {
 public:
  using carrier = key_carrier<Key>;
  using argument = typename carrier::argument;
  using table = typename carrier::template table<Value>;

  void open() { table_.emplace(memory::partition::here().heap()); }
  void close() { table_.reset(); }
  table& keys() { return *table_; }

  /// Runs the operation. Rethrows exceptions of functions of the program; lack of memory is an answer.
  template <class Operation>
  outcome<Value> apply(argument key, const typename Operation::sent& value) {
    return apply<Operation>(table::hash(key), key, value);
  }
  template <class Operation>
  outcome<Value> apply(std::uint64_t hash, argument key, const typename Operation::sent& value) {
    try {
      return Operation::apply(*table_, hash, key, value);
    } catch (const std::bad_alloc&) {
      return {result::no_memory};
    } catch (const machine::out_of_memory&) {  // of large blocks
      return {result::no_memory};
    }
  }
  const void* line_of(argument key) const { return table_->probable_address(table::hash(key)); }

 private:
  std::optional<table> table_;
};

/// The state that a batch stores for the requests of one kind for one key.
template <class Key, class Value, class Operation>
struct pending_request {
  typename key_carrier<Key>::view key;
  [[no_unique_address]] typename Operation::sent sent;
  result done = result::no;
  [[no_unique_address]] std::conditional_t<Operation::k_answers, Value, no_value> value{};

  outcome<Value> answer() const {
    if constexpr (Operation::k_answers)
      return {done, value};
    else
      return {done};
  }
  void answered(const outcome<Value>& o) {
    done = o.done;
    if constexpr (Operation::k_answers)
      if (o.done == result::yes) value = o.value;
  }
};

/// The answer to a question of a batch.
template <class Key, class Value, class Operation>
struct key_answer {
  pending_request<Key, Value, Operation>* into;
  result done;
  [[no_unique_address]] std::conditional_t<Operation::k_answers, Value, no_value> value;

  const void* target() const { return into; }
  void operator()(const message::dispatch&) const {
    into->done = done;
    if constexpr (Operation::k_answers) into->value = value;
  }
};

/// The message for a question of a batch, for which several fibers may wait.
template <class Key, class Value, class Operation>
struct batch_head {
  shard<Key, Value>* at;
  pending_request<Key, Value, Operation>* asker;
  [[no_unique_address]] typename Operation::sent sent;

  using argument = typename key_carrier<Key>::argument;
  using answer = key_answer<Key, Value, Operation>;
  const void* target(argument key) const { return at->line_of(key); }
  void operator()(const message::dispatch& d, argument key) const {
    d.self.request_flush();
    const outcome<Value> found = at->template apply<Operation>(key, sent);
    if constexpr (Operation::k_answers)
      d.self.reply_counted(d, answer{asker, found.done, found.value});
    else
      d.self.reply_counted(d, answer{asker, found.done, {}});
  }
};

/// The message for a question of a batch of this process, if the question or its answer fits no record: the
/// owner accesses the question in place.
template <class Key, class Value, class Operation>
struct local_head {
  shard<Key, Value>* at;
  pending_request<Key, Value, Operation>* asker;

  void operator()(const message::dispatch& d) const {
    d.self.request_flush();
    asker->answered(at->template apply<Operation>(asker->key, asker->sent));
  }
};

/// The message for a request that was not merged, for which one fiber waits.
template <class Key, class Value, class Operation>
struct lone_head {
  shard<Key, Value>* at;
  message::call_slot<outcome<Value>>* slot;
  [[no_unique_address]] typename Operation::sent sent;

  using argument = typename key_carrier<Key>::argument;
  using answer = message::answer_record<outcome<Value>>;
  using failure = message::failure_record<outcome<Value>>;
  const void* target(argument key) const { return at->line_of(key); }
  void operator()(const message::dispatch& d, argument key) const {
    try {
      d.self.reply(d.source, answer{slot, at->template apply<Operation>(key, sent)});
    } catch (...) {
      d.self.reply(d.source, failure{slot, new std::exception_ptr(std::current_exception())});
    }
  }
};

/// The message for one of many keys of a call, whose answers are dropped.
template <class Key, class Value, class Operation>
struct bulk_head {
  shard<Key, Value>* at;
  [[no_unique_address]] typename Operation::sent sent;

  using argument = typename key_carrier<Key>::argument;
  const void* target(argument key) const { return at->line_of(key); }
  void operator()(const message::dispatch&, argument key) const {
    if (at->template apply<Operation>(key, sent).done == result::no_memory) throw std::bad_alloc();
  }
};

}  // namespace gossamer::combining
