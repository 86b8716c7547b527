#pragma once
// The items of a checkpoint, each as bytes of every core: how they are collected, and how they are delivered
// when they are read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/checkpoint/internal/manifest.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::checkpoints {

/// The state of a core while an item is written or read.
struct core_share {
  std::span<const std::byte> data;  // of the item, to write
  std::vector<std::byte> buffer;  // collected for it, or read
  std::uint64_t at = 0;  // where the data begins in the process's part
  std::vector<stored_block> blocks;  // that were written
};
using core_shares = per_core<core_share>;

/// An item of a checkpoint. Functions are called by the main fiber.
struct kept_item {
  item_kind kind = item_kind::value;
  std::uint64_t element_bytes = 0;
  memory::side array = {};  // of an array: all of its elements
  std::span<std::byte> value = {};
  std::function<void(core_shares)> collect = {};  // records: fills every core's buffer
  std::function<void(core_shares)> deliver = {};  // records: reads every core's buffer
};

inline kept_item array_item(const memory::side& all) {
  return {.kind = item_kind::array, .element_bytes = all.element_bytes, .array = all};
}
inline kept_item value_item(std::span<std::byte> value) {
  return {.kind = item_kind::value, .element_bytes = value.size(), .value = value};
}

/// Appends a record. Records follow one another without alignment.
template <class T>
void append_record(std::vector<std::byte>& to, const T& record) {
  const auto bytes = std::as_bytes(std::span(&record, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}
/// Calls f(record) for each record.
template <class T, class F>
void each_record(std::span<const std::byte> from, F f) {
  for (; from.size() >= sizeof(T); from = from.subspan(sizeof(T))) {
    T record;
    std::memcpy(static_cast<void*>(&record), from.data(), sizeof(T));
    f(record);
  }
}

template <class T, class Merge>
kept_item core_values(per_core<T> values, Merge) {
  static_assert(std::is_empty_v<Merge>, "what merges the values of cores captures nothing");
  return {.kind = item_kind::records,
          .element_bytes = sizeof(T),
          .collect =
              [values](core_shares to) {
                on_all_cores([values, to] { append_record(to.here().buffer, values.here()); });
              },
          .deliver =
              [values](core_shares from) {
                on_all_cores([values, from] {
                  Merge merge{};
                  bool is_first = true;
                  each_record<T>(from.here().buffer, [&](const T& one) {
                    if (std::exchange(is_first, false))
                      values.here() = one;
                    else
                      merge(values.here(), one);
                  });
                });
              }};
}

/// A key and its value.
template <class Key, class Value>
struct map_entry {
  Key key;
  Value value;
};

template <class Key, class Value>
kept_item map_entries(hash_map<Key, Value> map) {
  using entry = map_entry<Key, Value>;
  return {.kind = item_kind::records,
          .element_bytes = sizeof(entry),
          .collect =
              [map](core_shares to) {
                map.for_each([to](const Key& key, Value& value) {
                  append_record(to.here().buffer, entry{key, value});
                });
              },
          .deliver =
              [map](core_shares from) {
                on_all_cores([map, from] {
                  const std::size_t n = from.here().buffer.size() / sizeof(entry);
                  const auto keys = std::make_unique<Key[]>(n);  // a vector of bool has no elements in memory
                  const auto values = std::make_unique<Value[]>(n);
                  std::size_t i = 0;
                  each_record<entry>(from.here().buffer, [&](const entry& e) {
                    keys[i] = e.key;
                    values[i++] = e.value;
                  });
                  map.insert_or_assign_all(std::span<const Key>(keys.get(), n),
                                           std::span<const Value>(values.get(), n));
                });
              }};
}

template <class Key>
kept_item set_keys(hash_set<Key> set) {
  return {.kind = item_kind::records,
          .element_bytes = sizeof(Key),
          .collect =
              [set](core_shares to) {
                set.for_each([to](const Key& key, auto&&...) { append_record(to.here().buffer, key); });
              },
          .deliver =
              [set](core_shares from) {
                on_all_cores([set, from] {
                  std::vector<Key> keys;
                  each_record<Key>(from.here().buffer, [&](const Key& key) { keys.push_back(key); });
                  set.insert_all(keys);
                });
              }};
}

}  // namespace gossamer::checkpoints
