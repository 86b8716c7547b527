#pragma once
// What map functions emit into, on each core: containers that combine (the hybrid engine), and lists for what is grouped
// later. One container or list for each partition; a partition is joined by one core.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/hash_container.hpp"
#include "gossamer/mapreduce/internal/hash_groups.hpp"
#include "gossamer/mapreduce/internal/pair_list.hpp"
#include "gossamer/mapreduce/internal/partition.hpp"
#include "gossamer/mapreduce/internal/spill_store.hpp"
#include "gossamer/mapreduce/internal/work_log.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::mapreduce {

/// What the map function emits into: the containers of its core, one for each partition. Look-ups are made 32 at a
/// time, each fetched ahead, since most of them miss the caches. Under a bound of memory all containers are emptied to a
/// scratch file when they cannot grow.
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
        add(c, s, hash, value);
        if (bound_.share != 0) watch_long_keys();
        return;
      }
    c.prefetch(hash);
    pending_[waiting_] = {s, value, hash, &c};
    if (++waiting_ == k_batch) flush();
  }

  /// Combines the pairs that wait into their containers.
  void flush() {
    for (unsigned i = 0; i < waiting_; ++i)
      add(*pending_[i].into, pending_[i].key, pending_[i].hash, pending_[i].value);
    emitted_ += std::exchange(waiting_, 0);
  }

  std::uint64_t emitted() const { return emitted_; }
  container& of(core_id partition) { return containers_[partition]; }
  const container& of(core_id partition) const { return containers_[partition]; }
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
    for (core_id p = 0; p < containers_.size(); ++p) {
      pairs_before += containers_[p].size();
      dealer_.deal(containers_[p], 0, spilled_, p * std::size_t{k_slices}, codec_);
    }
    spills_ += pairs_before != 0 ? 1 : 0;
    // Few pairs in much memory: some containers are large and others must grow.
    if (pairs_before * sizeof(slot) < bound_.share / k_least_use) release();
  }
  /// Returns whether tasks are written to a log when they are done, and left out when the job is started again.
  bool is_durable() const { return log_.is_open(); }
  work_log& log() { return log_; }
  machine::scratch_file take_result_file() { return std::move(result_file_); }
  /// Returns the tasks of this core that an earlier start has done.
  const std::vector<std::uint64_t>& done_before() const { return done_before_; }
  /// Takes the tasks of another core that need not be done.
  void leave_out(const std::vector<std::uint64_t>& tasks) {
    for (const std::uint64_t t : tasks) {
      if (t >= leave_out_.size()) leave_out_.resize(t + 1);
      leave_out_[t] = true;
    }
  }
  /// Returns whether a task of the process's `total` ones is to be done.
  bool begins(std::uint64_t task, std::uint64_t total) {
    constexpr std::uint64_t k_records = 16;
    record_tasks_ = std::max<std::uint64_t>(1, total / (k_records * cores_per_process()));
    return task >= leave_out_.size() || !leave_out_[task];
  }
  /// Notes that a task is done as a whole. Writes a record now and then.
  void ends(std::uint64_t task) {
    if (!is_durable()) return;
    tasks_.push_back(task);
    if (tasks_.size() >= record_tasks_) commit();
  }
  /// Makes the tasks that are done durable: empties all containers, and returns when they are on the disk.
  void commit() {
    flush();
    spill();
    if (!is_durable() || tasks_.empty()) return;
    work_record r{work_record::kind::tasks,
                  emitted_ - std::exchange(emitted_before_, emitted_),
                  std::exchange(tasks_, {}),
                  {}};
    spilled_.for_each_new([&](std::size_t list, const pair_block& b) { r.blocks.push_back({list, b}); });
    spilled_.sync();
    log_.add(r);
  }
  /// Gives the memory of all containers back.
  void release() {
    for (container& c : containers_) c.clear();
  }

  /// Makes a container for each partition. Before anything is emitted. Makes the scratch file where memory is bounded.
  void prepare(const Combine& combine, const Hash& hash, memory_bound bound = {}) {
    combine_ = combine;
    hash_ = hash;
    bound_ = std::move(bound);
    if (bound_.share != 0) {
      open_scratch();
      dealer_ = slice_dealer<Key, slot>(bound_.block_bytes());
    }
    spills_ = 0;
    containers_.clear();
    for (core_id c = 0; c < cores(); ++c) containers_.emplace_back(hash);
    first_ = containers_.data();
    partitions_ = cores();
    emitted_ = emitted_before_;
    waiting_ = 0;
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
  using slot = typename container::slot;
  static constexpr unsigned k_batch = 32;
  static constexpr std::uint64_t k_least_use = 8;

  void add(container& c, const typename traits::stored& key, std::uint64_t hash, const Value& value) {
    if (c.is_full()) [[unlikely]]
      make_room(c);
    c.add_in_room(key, hash, value, combine_);
  }
  [[gnu::noinline]] void make_room(container& c) {
    // The old slots stay until their pairs are in the new ones.
    const auto fits = [&] { return bytes() + c.slot_bytes_for(c.size() + 1) <= bound_.container_bytes(); };
    if (bound_.share != 0 && !fits()) {
      spill();
      if (c.is_full() && !fits()) release();
      if (!c.is_full()) return;
    }
    c.reserve(c.size() + 1);
  }
  /// Makes the scratch file, or opens that of an earlier start.
  void open_scratch() {
    const std::size_t lists = cores() * std::size_t{k_slices};
    if (bound_.resume.empty()) {
      spilled_ = spill_store(bound_.folder, lists);
      return;
    }
    const auto file = [&](const char* what) {
      return machine::scratch_file::named(work_file(bound_.resume, here(), what));
    };
    machine::scratch_file pairs = file("pairs");
    result_file_ = file("result");
    log_ = work_log(bound_.resume, here(), bound_.job, pairs, result_file_);
    spilled_ = spill_store(std::move(pairs), lists);
    emitted_before_ = 0;
    for (const work_record& r : log_.found()) {
      if (r.what != work_record::kind::tasks) continue;
      done_before_.insert(done_before_.end(), r.done.begin(), r.done.end());
      emitted_before_ += r.emitted;
      for (const listed_block& b : r.blocks) spilled_.adopt(b.list, b.block);
    }
    spilled_.for_each_new([](std::size_t, const pair_block&) {});
  }
  [[gnu::noinline]] void watch_long_keys() {
    if (bytes() > bound_.container_bytes()) spill();
  }

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
  std::uint64_t emitted_ = 0, spills_ = 0;
  memory_bound bound_;
  spill_store spilled_;
  slice_dealer<Key, slot> dealer_{0};
  io::block_codec codec_;
  work_log log_;
  machine::scratch_file result_file_;
  std::vector<std::uint64_t> done_before_, tasks_;  // tasks_: done since the last record
  std::vector<bool> leave_out_;
  std::uint64_t record_tasks_ = 1, emitted_before_ = 0;
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
