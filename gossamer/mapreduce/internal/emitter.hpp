#pragma once
// What map functions emit into, on each core: containers that combine (the hybrid engine), and lists for what is grouped
// later. One container or list for each partition; a partition is joined by one core.

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/hash_container.hpp"
#include "gossamer/mapreduce/internal/hash_groups.hpp"
#include "gossamer/mapreduce/internal/pair_list.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::mapreduce {

/// The bits of a hash from here on choose the partition; containers use those below.
inline constexpr unsigned k_partition_shift = 46;

/// Returns the partition of a key, by bits of its hash that containers do not use.
inline std::size_t partition_of(std::uint64_t hash, std::uint64_t partitions) {
  return ((hash >> k_partition_shift) * partitions) >> (64 - k_partition_shift);
}

/// What the map function emits into: the containers of its core, one for each partition. Look-ups are made 32 at a
/// time, each fetched ahead, since most of them miss the caches.
template <class Key, class Value, class Combine, class Hash>
class emitter {
 public:
  using container = hash_container<Key, Value, Hash>;
  using traits = key_traits<Key>;

  /// Emits a pair. Never suspends; throws gossamer::error where memory is short. The key may be gone afterwards.
  void emit(const Key& key, const Value& value) {
    const typename traits::stored s = traits::store(key);
    const std::uint64_t hash = traits::hash(hash_, s);
    container& c = first_[partition_of(hash, partitions_)];
    if constexpr (traits::k_is_text)
      if (s.is_long()) [[unlikely]] {  // at once: its bytes may be gone soon
        ++emitted_;
        return c.add(s, hash, value, combine_);
      }
    c.prefetch(hash);
    pending_[waiting_] = {s, value, hash, &c};
    if (++waiting_ == k_batch) flush();
  }

  /// Combines the pairs that wait into their containers.
  void flush() {
    for (unsigned i = 0; i < waiting_; ++i)
      pending_[i].into->add(pending_[i].key, pending_[i].hash, pending_[i].value, combine_);
    emitted_ += std::exchange(waiting_, 0);
  }

  std::uint64_t emitted() const { return emitted_; }
  container& of(core_id partition) { return containers_[partition]; }
  Combine& combine() { return combine_; }

  /// Makes a container for each partition. Before anything is emitted.
  void prepare(const Combine& combine, const Hash& hash) {
    combine_ = combine;
    hash_ = hash;
    containers_.clear();
    for (core_id c = 0; c < cores(); ++c) containers_.emplace_back(hash);
    first_ = containers_.data();
    partitions_ = cores();
    emitted_ = waiting_ = 0;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const container& c : containers_) sum += c.bytes();
    return sum;
  }
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const container& c : containers_) sum += c.size();
    return sum;
  }

 private:
  static constexpr unsigned k_batch = 32;
  struct pending {
    typename traits::stored key;
    Value value;
    std::uint64_t hash;
    container* into;
  };

  container* first_ = nullptr;
  std::uint64_t partitions_ = 0;
  std::vector<container> containers_;
  std::array<pending, k_batch> pending_;
  unsigned waiting_ = 0;
  std::uint64_t emitted_ = 0;
  [[no_unique_address]] Combine combine_;
  [[no_unique_address]] Hash hash_;
};

/// Appends what is emitted to the list of its partition. With a combiner the lists of a core are combined when they hold
/// 64 MiB, or twice what the last time has left, and by combine_all().
template <class Key, class Value, class Combine, class Hash>
class list_emitter {
 public:
  using list = pair_list<Key, Value>;
  using traits = key_traits<Key>;
  static constexpr bool k_combines = !std::is_same_v<Combine, no_combine>;

  /// Emits a pair. Never suspends; throws gossamer::error where memory is short. The key may be gone afterwards.
  void emit(const Key& key, const Value& value) {
    const typename traits::stored s = traits::store(key);
    lists_[partition_of(traits::hash(hash_, s), lists_.size())].add(s, value);
    ++emitted_;
    if constexpr (k_combines)
      if (++waiting_ == most_) [[unlikely]]
        combine_all();
  }
  void flush() {}

  std::uint64_t emitted() const { return emitted_; }
  list& of(core_id partition) { return lists_[partition]; }
  const Hash& hash() const { return hash_; }

  /// Makes a list for each partition. Before anything is emitted.
  void prepare(const Combine& combine, const Hash& hash) {
    combine_ = combine;
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
      for (list& l : lists_) {
        list shorter;
        hash_groups<Key, Value> groups;
        groups.add(l, hash_);
        groups.for_each([&](const typename traits::stored& key, std::span<const Value> values) {
          Value all = values[0];
          for (const Value& v : values.subspan(1)) all = combine_(all, v);
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
  [[no_unique_address]] Combine combine_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
