#pragma once
// The object that map functions emit into on each core, with the hybrid engine. Combines the pairs of each
// partition as they come.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/copied.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/mapreduce/internal/containers/partition_pairs.hpp"
#include "gossamer/mapreduce/internal/spilling/pair_spiller.hpp"
#include "gossamer/mapreduce/partition.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::mapreduce {

/// Returns the core of this process that joins a partition: its owner if that is local, otherwise a core
/// chosen round-robin.
inline core_id joiner_of(core_id partition) {
  const core_id first = first_core(process());
  return first +
         (partition - first < cores_per_process() ? partition - first : partition % cores_per_process());
}

/// Pairs are gathered in blocks. When a block is full, its keys are hashed and the slots that they look up
/// first are prefetched; it is added when the next block is full. So the misses of a block overlap, and each
/// of the three loops is short. If nearly all keys are new, pairs go to buckets. With limited memory,
/// containers that cannot grow are all emptied to a scratch file instead.
template <class Key, class Value, class Combine, class Hash>
class emitter {
 public:
  using partition = partition_pairs<Key, Value, Hash>;
  using container = typename partition::container;
  using slot = typename partition::slot;
  using traits = key_traits<Key>;
  using spiller = pair_spiller<Key, slot>;

  emitter() = default;
  emitter(const emitter&) = delete;
  emitter& operator=(const emitter&) = delete;

  /// Emits a pair. Never suspends; throws gossamer::error if memory does not suffice. The key need not
  /// outlive the call. Always inlined: loops over words call it at several places.
  [[gnu::always_inline]] void emit(const Key& key, const Value& value) {
    next_value() = value;
    emit_next(key);
  }
  /// Returns the place of the next pair's value. Write a large one there and call emit_next(): a copy that is
  /// written by words and read by vectors would stall on store forwarding.
  Value& next_value() { return filling_->pairs[filling_->size].value; }
  /// Emits a pair whose value is at next_value().
  [[gnu::always_inline]] void emit_next(const Key& key) {
    const typename traits::stored s = traits::store(key);
    if constexpr (traits::k_is_text)
      if (s.is_long()) [[unlikely]]
        return add_long(s, next_value());
    filling_->pairs[filling_->size++].key = s;
    if (filling_->size == k_block) [[unlikely]]
      next_block();
  }

  /// Combines the pending pairs. Throws gossamer::error if a map function has caught what emit() threw.
  void flush() {
    next_block();
    next_block();
    if (has_lost_pairs_)
      throw error("MapReduce: a map function caught an exception of emit(), so pairs are lost");
  }

  std::uint64_t emitted() const { return emitted_ + filling_->size; }
  partition& of(core_id p) { return partitions_[p]; }
  const partition& of(core_id p) const { return partitions_[p]; }
  Combine& combine() { return *combine_; }
  const Hash& hash() const { return hash_; }

  spiller& spilling() { return spiller_; }
  const spiller& spilling() const { return spiller_; }
  /// Empties all containers to the scratch file.
  void spill() {
    spiller_.spill(partitions_.size(), [&](std::size_t p) -> auto& { return partitions_[p].in_container(); });
  }
  /// Returns whether a task, one of `total` in this process, has yet to run.
  bool begins(std::uint64_t task, std::uint64_t total) { return spiller_.tasks().begins(task, total); }
  /// Declares that the map stage has failed: from now on no task of this core counts as finished.
  void abandon() { spiller_.tasks().abandon(); }
  /// Notes that a task is finished as a whole. Sometimes writes a record.
  void ends(std::uint64_t task) {
    if (spiller_.tasks().ends(task)) commit();
  }
  /// Makes the finished tasks durable: empties all containers, and returns when their pairs are on the disk.
  void commit() {
    flush();
    spill();
    spiller_.tasks().write(spiller_.store(), emitted_);
  }
  /// Frees the memory of all pairs.
  void release() {
    for (partition& p : partitions_) p.clear();
  }

  /// Makes a container for each partition. Call it before anything is emitted. Makes the scratch file if
  /// memory is limited.
  void prepare(const Combine& combine, const Hash& hash, memory_bound bound = {},
               std::optional<per_core<skipped_rows>> skipped = {}) {
    combine_.set(combine);
    hash_ = hash;
    spiller_ = spiller(std::move(bound), cores(), skipped);
    partitions_.clear();
    const std::size_t sparse_bytes = spiller_.is_bounded() ? 0 : k_sparse_bytes / cores();
    for (core_id p = 0; p < cores(); ++p) partitions_.emplace_back(hash, sparse_bytes);
    first_ = partitions_.data();
    count_ = cores();
    emitted_ = spiller_.tasks().emitted();
    for (block& b : blocks_) b.size = 0;
    has_lost_pairs_ = false;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const partition& p : partitions_) sum += p.bytes();
    return sum;
  }
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const partition& p : partitions_) sum += p.size();
    return sum;
  }

 private:
  static constexpr std::size_t k_least_divided = std::size_t{1} << 16;  // keys of a partition
  static constexpr double k_nearly_all = 0.9;
  static constexpr std::size_t k_sparse_bytes = std::size_t{128} << 10;  // of a core: they stay in its cache

  struct pending {
    typename traits::stored key;
    Value value;
    std::uint64_t hash;  // this and `into`: since the look-up has begun
    partition* into;
  };
  static constexpr std::size_t k_block_bytes = 4096;
  static constexpr unsigned k_block = std::clamp<std::size_t>(k_block_bytes / sizeof(pending), 8, 64);
  struct block {
    unsigned size = 0;
    std::array<pending, k_block> pairs;
  };

  /// Begins to look up the full block, and adds the pairs of the other one, which is filled next. An exception
  /// leaves both empty.
  [[gnu::noinline]] void next_block() {
    block& full = *filling_;
    block& found = &full == blocks_.data() ? blocks_[1] : blocks_[0];
    const std::span<pending> begun(full.pairs.data(), std::exchange(full.size, 0));
    const std::span<const pending> ready(found.pairs.data(), std::exchange(found.size, 0));
    filling_ = &found;
    const bool had_lost_pairs = std::exchange(has_lost_pairs_, true);
    look_up(begun);
    add_all(ready);
    full.size = static_cast<unsigned>(begun.size());
    has_lost_pairs_ = had_lost_pairs;
  }
  void look_up(std::span<pending> pairs) {
    emitted_ += pairs.size();
    for (pending& p : pairs) {
      p.hash = traits::hash(hash_, p.key);
      p.into = &partition_of_pair(p.key, p.hash);
      p.into->prefetch(p.hash);
    }
  }
  /// Adds pairs whose look-up has begun.
  void add_all(std::span<const pending> pairs) {
    if constexpr (combines_each<Combine, Value>) return add_together(pairs);
    for (const pending& p : pairs)
      if (Value* const into = p.into->in_container().find_in_first(p.key, p.hash)) [[likely]]
        combine_into(*into, p.value, *combine_);
      else
        add(*p.into, p.key, p.hash, p.value);
  }
  /// Combines the pairs whose key is in its first slot together, then adds the others.
  void add_together(std::span<const pending> pairs) {
    std::array<value_pair<Value>, k_block> known;
    std::array<const pending*, k_block> others;
    unsigned knowns = 0, rest = 0;
    for (const pending& p : pairs) {  // without a branch: keys come in any order
      Value* const into = p.into->in_container().find_in_first(p.key, p.hash);
      known[knowns] = {into, &p.value};
      knowns += into != nullptr;
      others[rest] = &p;
      rest += into == nullptr;
    }
    (*combine_).combine_each(std::span<const value_pair<Value>>(known.data(), knowns));
    for (const pending* const p : std::span(others.data(), rest)) add(*p->into, p->key, p->hash, p->value);
  }
  partition& partition_of_pair(const typename traits::stored& key, std::uint64_t hash) {
    return first_[partition_of_key<traits>(hash_, key, hash, count_)];
  }

  /// Adds a pair at once: the bytes of a long key may not outlive emit().
  [[gnu::noinline]] void add_long(const typename traits::stored& key, const Value& value) {
    const std::uint64_t hash = traits::hash(hash_, key);
    ++emitted_;
    add(partition_of_pair(key, hash), key, hash, value);
    if (spiller_.is_bounded() && bytes() > spiller_.bound().container_bytes()) spill();
  }
  [[gnu::noinline]] void add(partition& to, const typename traits::stored& key, std::uint64_t hash,
                             const Value& value) {
    if (!to.in_container().is_full()) return to.in_container().add_in_room(key, hash, value, *combine_);
    if (!to.is_divided()) make_room(to);
    to.add(key, hash, value, *combine_);
  }
  /// Grows a full container, or empties it, for another key.
  void make_room(partition& to) {
    container& c = to.in_container();
    if (!spiller_.is_bounded()) {
      if (c.size() >= k_least_divided && are_keys_new()) to.divide(count_, *combine_);
      return;
    }
    // The old slots stay allocated until their pairs are copied to the new ones.
    const auto fits = [&] {
      return bytes() + container::slot_bytes_for(c.size() + 1) <= spiller_.bound().container_bytes();
    };
    if (fits()) return;
    spill();
    if (c.is_full() && !fits()) release();
  }
  /// Returns whether nearly all emitted pairs have distinct keys.
  bool are_keys_new() const {
    return static_cast<double>(pairs()) >= k_nearly_all * static_cast<double>(emitted_);
  }

  partition* first_ = nullptr;
  std::uint64_t count_ = 0;
  std::vector<partition> partitions_;
  std::array<block, 2> blocks_;
  block* filling_ = blocks_.data();  // the other one is looked up
  bool has_lost_pairs_ = false;
  std::uint64_t emitted_ = 0;
  spiller spiller_;
  copied<Combine> combine_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
