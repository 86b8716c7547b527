#pragma once
// What map functions emit into, on each core: a container that combines for each partition (the hybrid engine). Where nearly all
// keys are new, pairs of partitions that another core joins are appended to lists: a list takes about half of the memory and needs
// no look-ups.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/containers/hash_container.hpp"
#include "gossamer/mapreduce/internal/containers/pair_list.hpp"
#include "gossamer/mapreduce/internal/containers/partition.hpp"
#include "gossamer/mapreduce/internal/spilling/finished_tasks.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"

namespace gossamer::mapreduce {

/// Returns the core of this process that joins a partition: its owner, or for another process one in turn.
inline core_id joiner_of(core_id partition) {
  const core_id first = first_core(process());
  return first +
         (partition - first < cores_per_process() ? partition - first : partition % cores_per_process());
}

/// What the map function emits into: the containers of its core, one for each partition. Look-ups are made 32 at a
/// time, fetched side by side, since most of them miss the caches. Under a bound of memory all containers are emptied to a
/// scratch file when they cannot grow.
template <class Key, class Value, class Combine, class Hash>
class emitter {
 public:
  using container = hash_container<Key, Value, Hash>;
  using list = pair_list<Key, Value>;
  using traits = key_traits<Key>;

  /// Emits a pair. Never suspends; throws gossamer::error where memory is short. The key may be gone afterwards.
  void emit(const Key& key, const Value& value) {
    const typename traits::stored s = traits::store(key);
    const std::uint64_t hash = traits::hash(hash_, s);
    partition& to = first_[partition_of(hash, count_)];
    if constexpr (traits::k_is_text)
      if (s.is_long()) [[unlikely]] {  // at once: its bytes may be gone soon
        ++emitted_;
        add(to, s, hash, value);
        if (bound_.share != 0) watch_long_keys();
        return;
      }
    pending_[waiting_] = {s, value, hash, &to};
    if (++waiting_ == k_batch) flush();
  }

  /// Combines the pairs that wait into their containers. Fetches their slots side by side, so that the addresses are translated at the
  /// same time: a core waits for the translation of each otherwise.
  void flush() {
    for (unsigned i = 0; i < waiting_; ++i)
      if (!pending_[i].into->is_listed) pending_[i].into->pairs.prefetch(pending_[i].hash);
    for (unsigned i = 0; i < waiting_; ++i)
      add(*pending_[i].into, pending_[i].key, pending_[i].hash, pending_[i].value);
    emitted_ += std::exchange(waiting_, 0);
  }

  std::uint64_t emitted() const { return emitted_; }
  container& of(core_id p) { return partitions_[p].pairs; }
  const container& of(core_id p) const { return partitions_[p].pairs; }
  /// Returns the pairs of a partition that were appended to its list, not combined with of(p). Empty in partitions that this core joins,
  /// and under a bound of memory.
  const list& listed(core_id p) const { return partitions_[p].listed; }
  Combine& combine() { return combine_; }
  const Hash& hash() const { return hash_; }

  /// Returns what went to the scratch file: of partition p the lists p * k_slices to (p + 1) * k_slices - 1.
  spill_store& spilled() { return spilled_; }
  const spill_store& spilled() const { return spilled_; }
  std::uint64_t spills() const { return spills_; }
  const memory_bound& bound() const { return bound_; }
  /// Empties all containers to the scratch file. They keep the memory of their slots.
  void spill() {
    std::uint64_t pairs_before = 0;
    for (core_id p = 0; p < partitions_.size(); ++p) {
      pairs_before += of(p).size();
      dealer_.deal(of(p), 0, spilled_, p * std::size_t{k_slices}, codec_);
    }
    spills_ += pairs_before != 0 ? 1 : 0;
    // Few pairs in much memory: some containers are large and others must grow.
    if (pairs_before * sizeof(slot) < bound_.share / k_least_use) release();
  }
  /// Returns what is done of the map stage, where work may be continued.
  finished_tasks& tasks() { return tasks_; }
  const finished_tasks& tasks() const { return tasks_; }
  /// Returns whether a task of the process's `total` ones is to be done.
  bool begins(std::uint64_t task, std::uint64_t total) {
    ++tasks_begun_;
    all_tasks_ = total;
    return tasks_.begins(task, total);
  }
  /// Says that what is emitted is in vain: from now on no task of this core counts as done.
  void abandon() { tasks_.abandon(); }
  /// Notes that a task is done as a whole. Writes a record now and then.
  void ends(std::uint64_t task) {
    if (tasks_.ends(task)) commit();
  }
  /// Makes the tasks that are done durable: empties all containers, and returns when they are on the disk.
  void commit() {
    flush();
    spill();
    tasks_.write(spilled_, emitted_);
  }
  /// Gives the memory of all containers back.
  void release() {
    for (partition& p : partitions_) p.pairs.clear();
  }

  /// Makes a container for each partition. Before anything is emitted. Makes the scratch file where memory is bounded.
  void prepare(const Combine& combine, const Hash& hash, memory_bound bound = {},
               std::optional<per_core<skipped_rows>> skipped = {}) {
    combine_ = combine;
    hash_ = hash;
    bound_ = std::move(bound);
    if (bound_.share != 0) {
      open_scratch(skipped);
      dealer_ = slice_dealer<Key, slot>(bound_.block_bytes());
    }
    spills_ = 0;
    partitions_.clear();
    for (core_id p = 0; p < cores(); ++p) {
      partitions_.emplace_back();
      partitions_[p].pairs = container(hash);
      partitions_[p].is_joined_here = joiner_of(p) == here();
    }
    first_ = partitions_.data();
    count_ = cores();
    emitted_ = tasks_.emitted();
    tasks_begun_ = all_tasks_ = 0;
    waiting_ = 0;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const partition& p : partitions_) sum += p.pairs.bytes() + p.listed.bytes();
    return sum;
  }
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const partition& p : partitions_) sum += p.pairs.size() + p.listed.size();
    return sum;
  }

 private:
  using slot = typename container::slot;
  static constexpr unsigned k_batch = 32;
  static constexpr std::uint64_t k_least_use = 8;
  static constexpr double k_least_new = 0.9;  // nearly all

  struct partition {
    container pairs;
    list listed;
    std::size_t most_listed = 0;
    bool is_listed = false;  // pairs that come are appended to the list
    bool is_joined_here = false;  // with those of the other cores of the process
  };

  void add(partition& to, const typename traits::stored& key, std::uint64_t hash, const Value& value) {
    if (to.is_listed) {
      to.listed.add(key, value);
      if (to.listed.size() >= to.most_listed) [[unlikely]]
        extend_or_combine(to);
      return;
    }
    if (to.pairs.is_full()) [[unlikely]] {
      make_room(to);
      if (to.is_listed) return to.listed.add(key, value);
    }
    to.pairs.add_in_room(key, hash, value, combine_);
  }
  /// Makes room for another key, or begins a list. Out of line: rare.
  [[gnu::noinline]] void make_room(partition& to) {
    container& c = to.pairs;
    const std::size_t next = c.size() + 1;
    if (bound_.share == 0) {
      const std::size_t expected = expected_keys(to);
      to.is_listed = expected > next && !to.is_joined_here;
      if (!to.is_listed) return c.reserve(expected);
      to.most_listed = std::max(expected - c.size(), c.size() / 4);
      return;
    }
    // The old slots stay until their pairs are in the new ones.
    const auto fits = [&] { return bytes() + c.slot_bytes_for(next) <= bound_.container_bytes(); };
    if (!fits()) {
      spill();
      if (c.is_full() && !fits()) release();
      if (!c.is_full()) return;
    }
    c.reserve(c.size() + 1);
  }
  /// Raises the limit of a list that has reached it while keys are still new. Otherwise combines its pairs.
  [[gnu::noinline]] void extend_or_combine(partition& to) {
    const std::size_t longer = to.listed.size() + to.listed.size() / 4;
    if (share_new() >= k_least_new && has_room_for(longer)) {
      to.most_listed = longer;
      return;
    }
    to.listed.for_each_slot([&](const typename list::slot& s) {
      to.pairs.add(s.key, to.pairs.hash_of(s.key), s.value, combine_);
    });
    to.listed.clear();
    to.is_listed = false;
  }
  /// Returns the share of new keys among the pairs that were combined. Partitions are random samples of the keys, so listed pairs have
  /// about the same share.
  double share_new() const {
    std::uint64_t combined = 0, listed = 0;
    for (const partition& p : partitions_) {
      combined += p.pairs.size();
      listed += p.listed.size();
    }
    return static_cast<double>(combined) / static_cast<double>(emitted_ + waiting_ - listed);
  }
  /// Returns whether each partition may have so many keys at once.
  bool has_room_for(std::size_t keys) const {
    return container::slot_bytes_for(keys) <= machine::available_memory() / (4 * count_);
  }
  /// Returns for how many keys a full container grows. Where nearly all pairs have new keys, a container takes its room at once: growing
  /// by doubling takes, clears and fills twice as much memory in all. Of n keys drawn evenly from d, 1 - n / 2d are new, so the
  /// share of new keys bounds d; the share of tasks that have begun bounds what is still to come.
  std::size_t expected_keys(const partition& to) const {
    const container& c = to.pairs;
    constexpr std::size_t k_least_keys = std::size_t{1} << 16;
    const std::size_t doubled = c.size() + 1;
    if (c.size() < k_least_keys || tasks_begun_ == 0) return doubled;
    const double of_new = share_new();
    if (of_new < k_least_new) return doubled;
    const double by_tasks =
        static_cast<double>(all_tasks_) / (static_cast<double>(tasks_begun_) - 0.5);  // of the process
    const double share = to.is_joined_here ? 1 : 1.0 / cores_per_process();
    const double growth = std::min(by_tasks * share, 0.5 / std::max(1 - of_new, 1e-9));
    const double keys = growth * static_cast<double>(c.size());
    if (keys <= static_cast<double>(doubled)) return doubled;
    const auto expected = static_cast<std::size_t>(keys);
    return has_room_for(expected) ? expected : doubled;
  }
  /// Makes the scratch file, or opens that of an earlier start.
  void open_scratch(std::optional<per_core<skipped_rows>> skipped) {
    const std::size_t lists = cores() * std::size_t{k_slices};
    if (bound_.resume.empty())
      spilled_ = spill_store(bound_.folder, lists);
    else
      tasks_ = finished_tasks(bound_, lists, spilled_, skipped);
  }
  [[gnu::noinline]] void watch_long_keys() {
    if (bytes() > bound_.container_bytes()) spill();
  }

  struct pending {
    typename traits::stored key;
    Value value;
    std::uint64_t hash;
    partition* into;
  };

  partition* first_ = nullptr;
  std::uint64_t count_ = 0;
  std::vector<partition> partitions_;
  std::array<pending, k_batch> pending_;
  unsigned waiting_ = 0;
  std::uint64_t emitted_ = 0, spills_ = 0;
  std::uint64_t tasks_begun_ = 0, all_tasks_ = 0;  // of this core; of the process
  memory_bound bound_;
  spill_store spilled_;
  slice_dealer<Key, slot> dealer_{0};
  io::block_codec codec_;
  finished_tasks tasks_;
  [[no_unique_address]] Combine combine_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
