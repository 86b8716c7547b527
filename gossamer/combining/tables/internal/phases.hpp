#pragma once
// One core's state for write-only and read-only phases of a set or map.
//
//   write-only  A core stages keys in a table of its own, each key once: no message, no answer. At the end of
//               the phase all cores send their staged keys to the owners, packed. The call that ends the
//               phase returns when all are inserted.
//   read-only   Nothing changes: tables of the own process are read in place, and answers about keys of other processes
//               are cached until the phase ends.
//
// Holt et al. (PGAS 2013), section 5.2: applications write a structure in one phase and read it in the next,
// and a tuned version "builds most of the set locally". Core-local; no locks.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/combining/engine/internal/local_combiner.hpp"
#include "gossamer/combining/tables/internal/key_parts.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/memory/heap.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/parallel/fiber.hpp"

namespace gossamer::combining {

/// Keys with their arguments, serialized one after another. Strings are preceded by their length.
template <class Key, class Value>
class packed_keys {
  using carrier = key_carrier<Key>;
  static constexpr std::size_t k_value_bytes = std::is_empty_v<Value> ? 0 : sizeof(Value);
  static constexpr bool k_texts = std::is_same_v<Key, std::string>;

 public:
  void add(typename carrier::argument key, const Value& value) {
    if constexpr (k_value_bytes != 0) append(&value, sizeof value);
    const auto bytes = carrier::bytes(key);
    if constexpr (k_texts) {
      const auto size = static_cast<std::uint32_t>(bytes.size());
      append(&size, sizeof size);
    }
    append(bytes.data(), bytes.size());
    ++count_;
  }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::uint64_t count() const { return count_; }
  void clear() {
    bytes_.clear();
    count_ = 0;
  }

  /// Calls f(key, value) for each of them. A key is a view of the bytes, or a copy.
  template <class F>
  static void for_each(std::span<const std::byte> packed, F f) {
    const std::byte* at = packed.data();
    for (const std::byte* const end = at + packed.size(); at != end;) {
      Value value;
      if constexpr (k_value_bytes != 0) {
        std::memcpy(static_cast<void*>(&value), at, k_value_bytes);
        at += k_value_bytes;
      }
      std::uint32_t size = sizeof(Key);
      if constexpr (k_texts) {
        std::memcpy(&size, at, sizeof size);
        at += sizeof size;
      }
      f(carrier::from_bytes(at, size), value);
      at += size;
    }
  }

 private:
  void append(const void* from, std::size_t n) {
    if (n == 0) return;
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + n);
  }

  std::vector<std::byte> bytes_;
  std::uint64_t count_ = 0;
};

/// The state of one core.
template <class Key, class Value>
class phase_part {
  using carrier = key_carrier<Key>;
  using argument = typename carrier::argument;
  using table = typename carrier::template table<Value>;
  using all_owners = owners<Key, Value>;
  struct kept_answer {
    bool there;
    [[no_unique_address]] Value value;
  };

 public:
  /// Stages a key. If it is already staged, applies the operation to the staged value. For fibers and
  /// handlers. Throws std::bad_alloc, and then the key is not staged. `name` is that of the structure, for
  /// errors.
  template <class Operation>
  void stage(const char* name, argument key, const Value& value) {
    static_assert(std::is_same_v<typename Operation::sent, Value>);
    if (staged_ == nullptr) {
      staged_ = std::make_unique<table>(memory::partition::here().heap());
      send_ = &phase_part::send_all<Operation>;
    } else if (send_ != &phase_part::send_all<Operation>) [[unlikely]] {
      refuse_phase(name, "is staged by two operations in one phase: insert_staged() between them");
    }
    (void)Operation::apply(*staged_, table::hash(key), key, value);
    ++message::endpoint::here().count().combine_requests;
  }
  /// Sends the staged keys to their owners. The enclosing completion counts the messages, and receives
  /// std::bad_alloc of an owner. By a fiber of the core; suspends.
  void send(const all_owners& to) {
    const std::unique_ptr<table> mine = std::exchange(staged_, nullptr);
    if (mine == nullptr) return;
    ++message::endpoint::here().count().combine_commits;
    send_(*mine, to);
  }
  /// Returns the cached answer about a key of another process, or requests and caches it: ask() returns an
  /// outcome, and may suspend.
  template <class Ask>
  outcome<Value> kept(std::uint64_t hash, argument key, Ask ask) {
    if (cached_ != nullptr)
      if (const kept_answer* const found = cached_->find(hash, key))
        return found->there ? outcome<Value>{result::yes, found->value} : outcome<Value>{};
    const outcome<Value> answer = ask();
    try {
      if (cached_ == nullptr || cached_->size() >= k_most_kept)
        cached_ = std::make_unique<kept_table>(memory::partition::here().heap());
      (void)cached_->insert(hash, key, kept_answer{answer.done == result::yes, answer.value});
    } catch (const std::bad_alloc&) {
      cached_.reset();  // the next lookup sends a request again
    } catch (const machine::out_of_memory&) {
      cached_.reset();
    }
    return answer;
  }
  /// Drops the cached answers, at the end of a read-only phase.
  void forget() { cached_.reset(); }
  void close() {
    forget();
    staged_.reset();
  }

 private:
  using kept_table = typename carrier::template table<kept_answer>;

  static constexpr std::size_t k_packed_bytes = 960;  // of a message: within half of the smallest packet
  static constexpr std::size_t k_most_kept = 1 << 16;  // cached answers of a core
  static constexpr std::uint64_t k_send_ns = 4,
                                 k_insert_ns = 5;  // charged per key in a simulation, as for a record

  /// The handler at the owner.
  template <class Operation>
  struct insert_packed {
    shard<Key, Value>* at;

    void operator()(std::span<const std::byte> packed) const {
      using view = typename carrier::view;
      struct entry {
        view key;
        std::uint64_t hash;
        Value value;
      };
      // This may be the stack of any fiber that sends: only few bytes of it are used.
      constexpr std::size_t k_most = std::clamp<std::size_t>(1024 / sizeof(entry), 1, 16);
      constexpr bool k_is_large = sizeof(entry) > 1024;
      std::conditional_t<k_is_large, std::vector<entry>, std::array<entry, k_most>> some;
      if constexpr (k_is_large) some.resize(k_most);
      std::size_t n = 0;
      const auto insert_some = [&] {
        charge_work(n * k_insert_ns);
        for (std::size_t k = 0; k < n; ++k)
          if (at->template apply<Operation>(some[k].hash, some[k].key, some[k].value).done ==
              result::no_memory)
            throw std::bad_alloc();
        n = 0;
      };
      packed_keys<Key, Value>::for_each(packed, [&](const view& key, const Value& value) {
        some[n] = {key, table::hash(key), value};
        at->keys().prefetch(some[n].hash);
        if (++n == some.size()) insert_some();
      });
      insert_some();
    }
  };

  template <class Operation>
  static void send_all(table& mine, const all_owners& to) {
    auto& self = message::endpoint::here();
    std::vector<packed_keys<Key, Value>> open(cores());
    const auto ship = [&](core_id owner) {
      auto& packed = open[owner];
      ++self.count().combine_messages;
      self.count().combine_bytes += packed.bytes().size();
      charge_work(packed.count() * k_send_ns);
      async_on(owner, insert_packed<Operation>{to.shards.address(owner)}, packed.bytes());
      packed.clear();
    };
    std::uint64_t own = 0;
    mine.for_each([&](argument key, const Value& value) {
      const std::uint64_t hash = table::hash(key);
      const core_id owner = owner_of(hash);
      if (owner != self.id()) {
        open[owner].add(key, value);
        if (open[owner].bytes().size() >= k_packed_bytes) ship(owner);
        return;
      }
      if (to.shards.here().template apply<Operation>(hash, key, value).done == result::no_memory)
        throw std::bad_alloc();
      charge_work(k_insert_ns);
      if (++own % 256 == 0) self.yield();
    });
    for (unsigned k = 1; k < cores(); ++k) {  // each core begins with another owner
      const auto owner = static_cast<core_id>((self.id() + k) % cores());
      if (open[owner].count() != 0) ship(owner);
    }
  }

  std::unique_ptr<table> staged_;
  void (*send_)(table&, const all_owners&) = nullptr;  // specialized for the staged operation
  std::unique_ptr<kept_table> cached_;
};

}  // namespace gossamer::combining
