#pragma once
// The object that map functions emit into if pairs are grouped later: on each core a list for each partition.

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/copied.hpp"
#include "gossamer/mapreduce/internal/containers/hash_groups.hpp"
#include "gossamer/mapreduce/internal/containers/pair_list.hpp"
#include "gossamer/mapreduce/internal/stage_cost.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/mapreduce/partition.hpp"

namespace gossamer::mapreduce {

/// Appends emitted pairs to the list of their partition. With a combiner, the lists of a core are combined
/// when they hold 64 MiB, or twice the size that the last combining left, and by combine_all().
template <class Key, class Value, class Combine, class Hash>
class list_emitter {
 public:
  using list = pair_list<Key, Value>;
  using traits = key_traits<Key>;
  static constexpr bool k_combines = !std::is_same_v<Combine, no_combine>;

  /// Emits a pair. Never suspends; throws gossamer::error if memory does not suffice. The key need not
  /// outlive the call.
  void emit(const Key& key, const Value& value) {
    const typename traits::stored s = traits::store(key);
    lists_[partition_of_key<traits>(hash_, s, traits::hash(hash_, s), lists_.size())].add(s, value);
    ++emitted_;
    if constexpr (k_combines)
      if (++waiting_ == most_) [[unlikely]]
        combine_all();
  }
  void flush() {}

  std::uint64_t emitted() const { return emitted_; }
  list& of(core_id partition) { return lists_[partition]; }
  const Hash& hash() const { return hash_; }

  /// Makes a list for each partition. Call it before anything is emitted.
  void prepare(const Combine& combine, const Hash& hash) {
    combine_.set(combine);
    hash_ = hash;
    lists_ = std::vector<list>(cores());
    emitted_ = waiting_ = 0;
    most_ = k_least;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const list& l : lists_) sum += l.bytes();
    return sum;
  }
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const list& l : lists_) sum += l.size();
    return sum;
  }

  /// Combines the values of equal keys in every list.
  void combine_all() {
    if constexpr (k_combines) {
      std::uint64_t left = 0;
      charge_pairs(pairs(), k_group_pair_ns);
      for (list& l : lists_) {
        list shorter;
        hash_groups<Key, Value> groups;
        groups.add(l, hash_);
        groups.for_each([&](const typename traits::stored& key, std::span<const Value> values) {
          Value all = values[0];
          for (const Value& v : values.subspan(1)) all = (*combine_)(all, v);
          shorter.add(key, all);
        });
        l = std::move(shorter);
        left += l.size();
      }
      waiting_ = left;
      most_ = std::max(k_least, 2 * left);
    }
  }

 private:
  static constexpr std::uint64_t k_least = (std::uint64_t{64} << 20) / sizeof(typename list::slot);

  std::vector<list> lists_;
  std::uint64_t emitted_ = 0, waiting_ = 0, most_ = k_least;
  copied<Combine> combine_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
