#pragma once
// What hash sets and maps have in common: a table on every core for the keys that it owns, and batches in
// which each key is asked for once, whoever wants it. Every key has its own order of operations, at its
// owner, where each takes effect when its question is run; requests of one batch for different keys, and of
// different kinds, go in parallel.
//
// Requests for keys that the asking core owns take effect at once: its table is the global one.

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/combining/combiner.hpp"
#include "gossamer/combining/distinct.hpp"
#include "gossamer/combining/flat_table.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::combining {

enum class verb : std::uint8_t { insert, assign, lookup, erase };

/// What an owner answers.
enum class result : std::uint8_t { no, yes, no_memory };

struct no_value {};

template <class Value>
struct outcome {
  result done = result::no;
  [[no_unique_address]] Value value{};
};

/// One core's part.
template <class Key, class Value>
class shard {
 public:
  using table = flat_table<Key, Value>;

  void open() { table_.emplace(memory::partition::here().heap()); }
  void close() { table_.reset(); }
  table& keys() { return *table_; }

  template <verb What>
  outcome<Value> apply(const Key& key, const Value& value) noexcept {
    GOSSAMER_ASSERT(table_.has_value(), "a hash set or map is used after its end");
    const std::uint64_t hash = table::hash(key);
    try {
      if constexpr (What == verb::lookup) {
        const Value* const found = table_->find(hash, key);
        return found != nullptr ? outcome<Value>{result::yes, *found} : outcome<Value>{};
      } else if constexpr (What == verb::erase) {
        return {table_->erase(hash, key) ? result::yes : result::no};
      } else {
        const auto [at, made] = table_->insert(hash, key, value);
        if (What == verb::assign && !made) *at = value;
        return {made ? result::yes : result::no};
      }
    } catch (...) {
      return {result::no_memory};
    }
  }
  const void* line_of(const Key& key) const { return table_->probable_address(table::hash(key)); }

 private:
  std::optional<table> table_;
};

/// What a batch keeps of the requests of one kind for one key. The value: the first one's to insert, the last
/// one's to assign; of a lookup the answer.
template <class Key, class Value>
struct wanted {
  Key key;
  [[no_unique_address]] Value value;
  result done = result::no;
};

template <class Key, class Value, verb What>
struct key_answer {
  static constexpr bool k_has_value = What == verb::lookup;
  wanted<Key, Value>* into;
  result done;
  [[no_unique_address]] std::conditional_t<k_has_value, Value, no_value> value;

  const void* target() const { return into; }
  void operator()(const message::dispatch&) const {
    into->done = done;
    if constexpr (k_has_value) into->value = value;
  }
};

template <class Key, class Value, verb What>
struct key_question {
  static constexpr bool k_has_value = What == verb::insert || What == verb::assign;
  using answer = key_answer<Key, Value, What>;
  shard<Key, Value>* at;
  wanted<Key, Value>* asker;
  Key key;
  [[no_unique_address]] std::conditional_t<k_has_value, Value, no_value> value;

  const void* target() const { return at->line_of(key); }
  void operator()(const message::dispatch& d) const {
    d.self.hurry();  // many wait
    outcome<Value> found;
    if constexpr (k_has_value)
      found = at->template apply<What>(key, value);
    else
      found = at->template apply<What>(key, Value{});
    if constexpr (What == verb::lookup)
      d.self.reply_counted(d, answer{asker, found.done, found.value});
    else
      d.self.reply_counted(d, answer{asker, found.done, {}});
  }
};

/// The owner: by bits of the hash that tables do not use.
inline core_id owner_of(std::uint64_t hash) { return static_cast<core_id>(((hash >> 46) * cores()) >> 18); }

template <class Key, class Value>
struct key_batch : batch {
  using entries = distinct<wanted<Key, Value>>;
  entries kinds[4];
  entries& of(verb v) { return kinds[static_cast<unsigned>(v)]; }

  void commit(per_core<shard<Key, Value>> shards) {
    message::wait_for_all([&] {
      ask<verb::insert>(shards);
      ask<verb::assign>(shards);
      ask<verb::lookup>(shards);
      ask<verb::erase>(shards);
    });
  }
  void clear() {
    for (entries& e : kinds) e.clear();
  }

 private:
  template <verb What>
  void ask(per_core<shard<Key, Value>> shards) {
    using question = key_question<Key, Value, What>;
    auto& self = message::endpoint::here();
    entries& all = of(What);
    self.count().combine_messages += all.size();
    self.count().combine_bytes += all.size() * sizeof(question);
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      wanted<Key, Value>& w = all[k];
      const core_id owner = owner_of(all.hash(k));
      question q{shards.address(owner), &w, w.key, {}};
      if constexpr (question::k_has_value) q.value = w.value;
      self.issue_question(owner, q, sizeof(typename question::answer));
    }
  }
};

/// A handle: trivially copyable.
template <class Key, class Value>
class dictionary {
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value> &&
                    std::is_default_constructible_v<Value>,
                "keys and values of global sets and maps are copied as bytes");
  static_assert(sizeof(Value) <= 512, "values of global sets and maps travel in messages: at most 512 bytes");

 public:
  /// Linearizable; suspends until its owner has answered.
  template <verb What>
  outcome<Value> request(const Key& key, const Value& value = {}) const {
    const std::uint64_t hash = shard<Key, Value>::table::hash(key);
    const core_id owner = owner_of(hash);
    outcome<Value> found;
    if (owner == here())
      found = at_home<What>(key, value);
    else if (!merges_)
      found = alone<What>(owner, key, value);
    else
      found = merged<What>(hash, key, value);
    if (found.done == result::no_memory) throw std::bad_alloc();
    return found;
  }
  /// Sum over the cores. By any one fiber; exact while nobody changes anything.
  std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const std::uint64_t n : collect(shards_, [](auto& s) { return std::uint64_t{s.keys().size()}; }))
      total += n;
    return total;
  }
  /// f(const Key&, Value&) at the owner of each, while nobody changes anything. By any one fiber; suspends.
  template <class F>
  void for_each(F f) const {
    on_all_cores([shards = shards_, f] { shards.here().keys().for_each(f); });
  }

 protected:
  per_core<shard<Key, Value>> shards_;
  combiner<key_batch<Key, Value>, per_core<shard<Key, Value>>> requests_;
  bool merges_ = true;

 private:
  /// Lets others run now and then: no request of this core's own keys would otherwise.
  template <verb What>
  outcome<Value> at_home(const Key& key, const Value& value) const {
    auto& count = message::endpoint::here().count();
    const auto found = shards_.here().template apply<What>(key, value);
    if (++count.combine_requests % 16 == 0) message::endpoint::here().yield();
    return found;
  }
  template <verb What>
  outcome<Value> alone(core_id owner, const Key& key, const Value& value) const {
    auto& count = message::endpoint::here().count();
    ++count.combine_requests;
    ++count.combine_commits;
    ++count.combine_messages;
    return message::call_at(owner, shards_.address(owner), [key, value](shard<Key, Value>& s) {
      return s.template apply<What>(key, value);
    });
  }
  template <verb What>
  outcome<Value> merged(std::uint64_t hash, const Key& key, const Value& value) const {
    auto mine = requests_.join();
    auto& all = mine->of(What);
    const auto [index, first] = all.add(hash, key, value);
    if (What == verb::assign && !first) all[index].value = value;
    mine.wait();
    const wanted<Key, Value>& w = all[index];
    if (w.done == result::no_memory || first || What == verb::lookup) return {w.done, w.value};
    return {};  // another request of the batch was the one that inserted or erased
  }
};

/// Owns.
template <class Key, class Value>
class scoped_dictionary {
 public:
  scoped_dictionary(const char* name, combine where)
      : tables_(shards_.handle()),
        requests_(name, combine::local, shards_.handle()),
        merges_(where == combine::local || where == combine::both) {}
  per_core<shard<Key, Value>> shards() const { return shards_.handle(); }
  auto requests() const { return requests_.handle(); }
  bool merges() const { return merges_; }

 private:
  struct opening {
    explicit opening(per_core<shard<Key, Value>> s) : shards(s) {
      on_all_cores([all = shards] { all.here().open(); });
    }
    opening(const opening&) = delete;
    ~opening() {
      on_all_cores([all = shards] { all.here().close(); });
    }
    per_core<shard<Key, Value>> shards;
  };

  scoped_per_core<shard<Key, Value>> shards_;
  opening tables_;
  scoped_combiner<key_batch<Key, Value>, per_core<shard<Key, Value>>> requests_;
  bool merges_;
};

}  // namespace gossamer::combining
