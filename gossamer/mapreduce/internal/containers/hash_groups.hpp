#pragma once
// Groups pairs of equal keys by a radix sort of their hashes. Pairs are not moved.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/containers/pair_list.hpp"
#include "gossamer/sort/radix_sort.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::mapreduce {

/// References to pairs in the order of their hashes: 16 bytes each. The pairs must stay valid meanwhile.
template <class Key, class Value>
class hash_groups {
 public:
  using list = pair_list<Key, Value>;
  using slot = typename list::slot;
  using stored = typename list::stored;

  /// Adds the pairs of a list and sorts them. Throws gossamer::error if memory does not suffice.
  template <class Hash>
  void add(const list& pairs, const Hash& hash) {
    machine::require_chunk(pairs.size() * sizeof(sorting::hashed_pair), "pairs to group");
    order_.reserve(pairs.size());
    pairs.for_each_slot([&](const slot& s) { order_.push_back({list::traits::hash(hash, s.key), &s}); });
    sorting::sort_by_hash(order_);
  }

  /// Calls f(key, values) for each distinct key. Values are in no order; f must not keep references to key or
  /// values.
  template <class F>
  void for_each(F f) {
    sorting::sort_buffer<Value> values;
    const auto slot_of = [](const sorting::hashed_pair& p) -> const slot& {
      return *static_cast<const slot*>(p.pair);
    };
    for (auto at = order_.begin(); at != order_.end();) {
      const auto last =
          std::find_if(at, order_.end(), [&](const sorting::hashed_pair& p) { return p.hash != at->hash; });
      while (at != last) {  // once, unless different keys have the same hash
        const slot& first = slot_of(*at);
        const auto end = std::partition(
            at, last, [&](const sorting::hashed_pair& p) { return slot_of(p).key == first.key; });
        const auto n = static_cast<std::size_t>(end - at);
        if (n > values.size()) {
          machine::require_chunk(2 * n * sizeof(Value), "values of a key");
          values = sorting::sort_buffer<Value>(2 * n);
        }
        for (std::size_t i = 0; i < n; ++i, ++at) values.data()[i] = slot_of(*at).value;
        f(first.key, std::span<const Value>(values.data(), n));
      }
    }
  }

  void clear() { order_ = {}; }

 private:
  std::vector<sorting::hashed_pair> order_;
};

}  // namespace gossamer::mapreduce
