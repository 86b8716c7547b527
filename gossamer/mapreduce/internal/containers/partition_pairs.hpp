#pragma once
// One core's pairs of a partition: in a container that combines, or in buckets if nearly all keys are new.
// One core at a time uses it: first its own core, then the core that joins the partition.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/mapreduce/internal/containers/fetched_join.hpp"
#include "gossamer/mapreduce/internal/containers/pair_buckets.hpp"

namespace gossamer::mapreduce {

template <class Key, class Value, class Hash>
class partition_pairs {
 public:
  using container = hash_container<Key, Value, Hash>;
  using buckets = pair_buckets<Key, Value, Hash>;
  using traits = key_traits<Key>;
  using slot = typename container::slot;

  partition_pairs() = default;
  /// `sparse_bytes`: see hash_container.
  explicit partition_pairs(const Hash& hash, std::size_t sparse_bytes = 0)
      : container_(hash, sparse_bytes), hash_(hash) {}

  /// Returns the number of pairs. In buckets, equal keys count several times until settle().
  std::size_t size() const { return is_divided() ? buckets_.size() : container_.size(); }
  /// Returns the bytes of memory allocated.
  std::size_t bytes() const { return container_.bytes() + buckets_.bytes(); }
  bool is_divided() const { return is_divided_; }
  /// Returns the container. While pairs are in buckets it is empty and has no slots, so it counts as full.
  container& in_container() { return container_; }
  const container& in_container() const { return container_; }
  std::uint64_t hash_of(const typename traits::stored& key) const { return container_.hash_of(key); }

  /// Prefetches what add() touches first.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
    if (is_divided())
      buckets_.prefetch(hash);
    else
      container_.prefetch(hash);
  }
  /// Combines a value into that of its key, now or in settle(). A long text is copied when it is inserted.
  /// Throws gossamer::error if memory does not suffice.
  template <class Combine>
  void add(const typename traits::stored& key, std::uint64_t hash, const Value& value, Combine& combine) {
    if (!is_divided()) return container_.add(key, hash, value, combine);
    buckets_.add(key, hash, value, combine);
    if (buckets_.repeats()) [[unlikely]]
      rejoin(combine);
  }
  /// Moves the pairs to buckets. Their number must be the same in all objects that are joined.
  template <class Combine>
  void divide(std::size_t partitions, Combine& combine) {
    if (is_divided_) return;
    buckets_ = buckets(buckets::buckets_for(partitions), hash_);
    is_divided_ = true;
    append(container_, combine);
    container_.clear();
  }
  /// Joins the pairs of another object, which becomes empty if its pairs are in buckets. Call it before
  /// settle().
  template <class Combine>
  void join(partition_pairs& other, std::size_t partitions, Combine& combine) {
    if (other.is_divided()) {
      divide(partitions, combine);
      buckets_.take(std::exchange(other, partition_pairs(hash_)).buckets_);
    } else if (is_divided()) {
      append(other.container_, combine);
    } else {
      mapreduce::join(other.container_, container_, combine);
    }
  }
  /// Combines pairs that were only appended. Afterwards each key is present once.
  template <class Combine>
  void settle(Combine& combine) {
    buckets_.combine_all(combine);
  }

  /// Calls f(slot&) for each pair. f must not change the key.
  template <class F>
  void for_each_slot(F f) const {
    container_.for_each_slot(f);
    buckets_.for_each_slot(f);
  }
  /// Calls f(slot&) for each pair, in an order suitable for adding to another container
  /// (hash_container::for_each_slot_spread).
  template <class F>
  void for_each_slot_spread(F f) const {
    container_.for_each_slot_spread(f);
    buckets_.for_each_slot(f);
  }
  /// Removes all pairs and frees the memory.
  void clear() { *this = partition_pairs(hash_); }

 private:
  template <class Combine>
  void append(const container& from, Combine& combine) {
    from.for_each_slot([&](const slot& s) { buckets_.add(s.key, hash_of(s.key), s.value, combine); });
  }
  template <class Combine>
  [[gnu::noinline]] void rejoin(Combine& combine) {
    buckets_.combine_all(combine);
    container_.reserve(buckets_.size() + 1);  // so that it does not count as full at once
    buckets_.for_each_slot([&](const slot& s) { container_.add(s.key, hash_of(s.key), s.value, combine); });
    buckets_ = buckets();
    is_divided_ = false;
  }

  container container_;
  buckets buckets_;
  bool is_divided_ = false;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
