#pragma once
// The part of a MapReduce result that one core has: the pairs of its partition.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/containers/partition_pairs.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"
#include "gossamer/mapreduce/internal/exchange/message_exchange.hpp"
#include "gossamer/mapreduce/internal/spilling/stored_pairs.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"

namespace gossamer::mapreduce {

/// The pairs of a core's partition, in one of three forms.
template <class Key, class Value, class Hash>
struct result_block {
  using traits = key_traits<Key>;
  using key_type = Key;
  using slot = typename partition_pairs<Key, Value, Hash>::slot;

  partition_pairs<Key, Value, Hash> pairs;  ///< in a container or buckets
  std::vector<slot> listed;  ///< in a list, if no container was needed
  text_arena texts;  ///< long keys of the list
  std::unique_ptr<stored_pairs<Key, slot>> stored;  ///< in a scratch file, if memory is limited
  std::vector<slot> sorted;  ///< all pairs in an order, while they are merged; or the first ones
  text_arena sorted_texts;  ///< long keys of the first ones, if they are from a scratch file
  std::function<std::vector<std::byte>()> next_sorted;  ///< returns the next pairs, for another process
  std::vector<std::byte> flat;  ///< the same as bytes, for another process
  binomial_tree tree;  ///< merges them over messages

  /// Returns the number of pairs.
  std::uint64_t size() const { return pairs.size() + listed.size() + (stored ? stored->size() : 0); }
  /// Calls f(slot&) for each pair. A long key stays valid until f returns.
  template <class F>
  void for_each_slot(F f) {
    pairs.for_each_slot(f);
    for (slot& s : listed) f(s);
    if (stored) stored->for_each_slot(f);
  }
  /// Finds the first k pairs in an order, and stores them in `sorted`.
  template <class Order>
  void find_first(std::uint64_t k, Order before) {
    std::vector<slot>& best = sorted;  // a heap, with the last pair of the order on top
    best.clear();
    sorted_texts = {};
    if (k == 0) return;
    std::size_t most_text = k_kept_text_bytes;
    const auto keep = [&](slot& s) {  // a long key of a scratch file is freed with its block
      if constexpr (traits::k_is_text)
        if (stored && s.key.is_long()) {
          s.key.first = reinterpret_cast<std::uintptr_t>(sorted_texts.keep(s.key.text()).data());
          if (sorted_texts.used() > most_text) {
            text_arena fewer;
            for (slot& b : best)
              if (b.key.is_long())
                b.key.first = reinterpret_cast<std::uintptr_t>(fewer.keep(b.key.text()).data());
            sorted_texts = std::move(fewer);
            most_text = k_kept_text_bytes + 2 * sorted_texts.used();
          }
        }
    };
    std::uint64_t last_code = 0;  // of the last of the best; pairs with a larger code are not compared
    for_each_slot([&](const slot& s) {
      if (best.size() == k) {
        if (code_of(before, s, 0) > last_code || !before(s, best.front())) return;
        std::ranges::pop_heap(best, before);
        best.pop_back();
      }
      best.push_back(s);
      keep(best.back());
      std::ranges::push_heap(best, before);
      last_code = code_of(before, best.front(), 0);
    });
    std::ranges::sort_heap(best, before);
  }
  /// Limit for the text bytes kept. Beyond it, those of the best keys are copied to a new arena.
  static constexpr std::size_t k_kept_text_bytes = std::size_t{1} << 20;
  /// Appends a pair to the list. Throws gossamer::error if memory does not suffice.
  void list(const typename traits::stored& key, const Value& value) {
    if (listed.size() == listed.capacity()) {
      const std::size_t n = std::max<std::size_t>(64, 2 * listed.size());
      machine::require_chunk(n * sizeof(slot), "results");
      listed.reserve(n);
    }
    listed.push_back({key, value});
    if constexpr (traits::k_is_text)
      if (key.is_long())
        listed.back().key.first = reinterpret_cast<std::uintptr_t>(texts.keep(key.text()).data());
  }
};

}  // namespace gossamer::mapreduce
