#pragma once
// The hybrid engine of "hybrid address spaces" (section 4). Containers combine pairs while they are emitted.
// Within a process a partition is joined in place from the containers of all cores. Between processes each
// core sends in bulk.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/mapreduce/internal/containers/dense_array.hpp"
#include "gossamer/mapreduce/internal/containers/fetched_join.hpp"
#include "gossamer/mapreduce/internal/engines/emitter.hpp"
#include "gossamer/mapreduce/internal/engines/list_emitter.hpp"
#include "gossamer/mapreduce/internal/exchange/block_exchange.hpp"
#include "gossamer/mapreduce/internal/results/bucket_joiner.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/mapreduce/map_stage.hpp"
#include "gossamer/parallel/collective.hpp"

namespace gossamer::mapreduce {

/// The chunks that a core sends, in the order of their destinations.
struct outgoing_chunks {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> counts;

  /// Appends the chunk for the next core.
  template <class Write>
  void add(Write write) {
    const std::size_t before = bytes.size();
    write(bytes);
    counts.push_back(bytes.size() - before);
  }
  by_core<std::byte> exchange() const { return all_to_all(std::span<const std::byte>(bytes), counts); }
};

/// The stages of the engine. Each kind of container uses some of them.
enum hybrid_stage : unsigned {
  k_map_pairs,
  k_join,
  k_send_sizes,
  k_send,
  k_finish,
  k_spill_rest,  // memory is bounded: containers are emptied
  k_send_blocks,  // send some of the blocks of partitions of other processes
  k_join_buckets,
};

/// Calls f(core) for the cores of this process, starting with the calling one; `first` is 1 to skip that one.
template <class F>
void for_each_neighbour(unsigned first, F f) {
  const core_id begin = first_core(process());
  for (unsigned k = first; k < cores_per_process(); ++k)
    f(begin + (here() - begin + k) % cores_per_process());
}

/// Returns the memory limit of a process; 0: none. A resumable job always has a limit.
std::uint64_t bounded_memory(const map_reduce_options& o);
/// Begins a job in its folder, or continues the one that it finds there. Returns the checksum of the job's
/// description.
std::uint64_t begin_job(const map_reduce_options& o, const std::string& input, std::size_t pair_bytes);

/// Runs the stages, first those inside of each process, then those between processes, and records their
/// times. By one fiber; suspends.
void run_hybrid(job_workers workers, stage_clock& clock, map_reduce_statistics& what);
/// Does the same with limited memory: a partition that does not fit is joined bucket by bucket.
void run_hybrid_bounded(job_workers workers, stage_clock& clock, map_reduce_statistics& what);
/// Does the same for jobs that send pairs before they group them.
void run_hybrid_lists(job_workers workers, stage_clock& clock, map_reduce_statistics& what);
/// Does the same for arrays over two-sided messages alone.
void run_arrays_by_messages(job_workers workers, stage_clock& clock, map_reduce_statistics& what);

/// The containers of one core, and all stages except the map stage. Compiled once for each type of pair,
/// whatever the map function.
template <class Key, class Value, class Combine, class Hash>
class container_worker : public job_worker {
  using results = typename key_values<Key, Value, Hash>::block;

 public:
  using emitter = mapreduce::emitter<Key, Value, Combine, Hash>;

  container_worker(const Combine& combine, const Hash& hash, per_core<results> out, job_workers all,
                   memory_bound bound, std::optional<per_core<skipped_rows>> skipped)
      : out_(out), all_(all) {
    if (bound.share != 0) received_ = block_exchange(bound);
    pairs_.prepare(combine, hash, std::move(bound), skipped);
  }

  void run(unsigned stage) override {
    if (stage == k_map_pairs) {
      finished_tasks& tasks = pairs_.spilling().tasks();
      if (tasks.is_open())
        for_each_neighbour(
            0, [&](core_id c) { tasks.leave_out(at(c).pairs_.spilling().tasks().done_before()); });
      return map(pairs_, true);
    }
    if (stage == k_join) return join_neighbours();
    if (stage == k_spill_rest) {
      pairs_.commit();
      pairs_.spilling().tasks().finish();
      return pairs_.release();
    }
    if (stage == k_send_blocks) return received_.send_some(pairs_.spilling().store());
    if (stage == k_join_buckets) return join_buckets();
    if (processes() > 1) exchange();
    out_.here().pairs = std::move(pairs_.of(here()));
  }
  pair_counts count() const override {
    return {pairs_.emitted(), pairs_.pairs() + pairs_.spilling().store().pairs(), pairs_.bytes()};
  }
  spill_counts spilled() const override {
    const auto& spilling = pairs_.spilling();
    const spill_store& store = spilling.store();
    return {spilling.spills(), store.pairs(),           store.stored_bytes(),
            must_spill(),      received_.unsent(store), spilling.tasks().done_before().size()};
  }

 private:
  using slot = typename emitter::slot;

  virtual void map(emitter& pairs, bool steals) = 0;  // as in input_mapper
  const container_worker& at(core_id c) const { return static_cast<const container_worker&>(*all_.at(c)); }
  container_worker& at(core_id c) { return static_cast<container_worker&>(*all_.at(c)); }

  /// Returns whether joining in place would take more memory than this core's share. Reads the sizes of other
  /// cores.
  bool must_spill() const {
    if (pairs_.spilling().bound().share == 0) return false;
    if (pairs_.spilling().tasks().is_open() || !pairs_.spilling().store().empty()) return true;
    std::uint64_t bytes = pairs_.bytes();
    if (cores() == 1) return false;
    for (core_id p = 0; p < cores(); ++p)
      if (joiner_of(p) == mine_) {
        std::uint64_t pairs = 0, long_bytes = 0;
        for_each_neighbour(0, [&](core_id c) {
          const auto& theirs = at(c).pairs_.of(p).in_container();
          pairs += theirs.size();
          long_bytes += theirs.long_key_bytes();
        });
        // Between processes, pairs are also copied, sent and received.
        bytes += (emitter::container::slot_bytes_for(pairs) + long_bytes) * (processes() > 1 ? 2 : 1);
      }
    return bytes > pairs_.spilling().bound().container_bytes();
  }
  /// Joins this core's partition, bucket by bucket, and writes the result to a scratch file.
  void join_buckets() {
    auto& spilling = pairs_.spilling();
    auto stored = spilling.tasks().is_open() ? std::make_unique<stored_pairs<Key, slot>>(
                                                   spilling.bound(), spilling.tasks().take_result_file())
                                             : std::make_unique<stored_pairs<Key, slot>>(spilling.bound());
    std::array<bool, k_buckets> done{};
    for (const work_record& r : spilling.tasks().log().found()) {
      if (r.what != work_record::kind::buckets) continue;
      for (const std::uint64_t s : r.done) done.at(s) = true;
      for (const listed_block& b : r.blocks) stored->adopt(b.block);
    }
    stored->store().for_each_new([](std::size_t, const pair_block&) {});
    std::vector<std::uint64_t> joined;
    const auto commit = [&] {
      stored->finish();
      if (!spilling.tasks().is_open() || joined.empty()) return;
      work_record r{work_record::kind::buckets, 0, std::exchange(joined, {}), {}, {}};
      stored->store().for_each_new(
          [&](std::size_t list, const pair_block& b) { r.blocks.push_back({list, b}); });
      stored->store().sync();
      spilling.tasks().log().add(r);
    };
    // It holds pairs, which may be large, and this is the stack of a task.
    const auto joiner = std::make_unique<bucket_joiner<Key, Value, Combine, Hash>>(
        spilling.bound(), pairs_.combine(), pairs_.hash());
    for (std::size_t bucket = 0; bucket < k_buckets; ++bucket) {
      if (done[bucket]) continue;
      std::vector<block_source> sources;
      const auto add = [&](const spill_store& from, std::size_t list) {
        if (!from.list(list).empty()) sources.push_back({&from.file(), &from.list(list)});
      };
      for_each_neighbour(
          0, [&](core_id c) { add(at(c).pairs_.spilling().store(), here() * k_buckets + bucket); });
      if (processes() > 1) add(received_.store(), bucket);
      joiner->join(sources, [&](const slot& s) { stored->add(s); });
      joined.push_back(bucket);
      if (spilling.tasks().is_open() && joined.size() == k_buckets_in_record) commit();
    }
    commit();
    out_.here().stored = std::move(stored);
  }
  void join_neighbours() {
    for (core_id p = 0; p < cores(); ++p)
      if (joiner_of(p) == here()) {
        typename emitter::partition& mine = pairs_.of(p);
        for_each_neighbour(1, [&](core_id c) {
          typename emitter::partition& other = at(c).pairs_.of(p);
          if (!other.is_divided()) charge_pairs(other.size(), k_join_pair_ns);
          mine.join(other, cores(), pairs_.combine());
        });
        if (p != here() || processes() == 1) settle(mine);
      }
  }
  void settle(typename emitter::partition& mine) {
    if (mine.is_divided()) charge_pairs(mine.size(), k_settle_pair_ns);
    mine.settle(pairs_.combine());
  }
  void exchange() {
    outgoing_chunks chunks;
    for (core_id p = 0; p < cores(); ++p)
      chunks.add([&](std::vector<std::byte>& bytes) {
        if (joiner_of(p) != here() || p == here()) return;
        pair_writer<Key, slot> pairs;
        pairs_.of(p).for_each_slot_spread([&](const slot& s) { pairs.add(s); });
        pairs_.of(p).clear();
        charge_pairs(pairs.pairs(), k_copy_pair_ns);
        pairs.write(bytes);
      });
    const auto got = chunks.exchange();
    auto& mine = pairs_.of(here());
    std::uint64_t added = 0;
    for (core_id c = 0; c < cores(); ++c)
      if (!got[c].empty())
        for_each_flat<Key, slot>(std::span<const std::byte>(got[c]), [&](const slot& s) {
          mine.add(s.key, mine.hash_of(s.key), s.value, pairs_.combine());
          ++added;
        });
    charge_pairs(added, k_join_pair_ns);
    settle(mine);
  }

  static constexpr std::size_t k_buckets_in_record = 8;

  emitter pairs_;
  block_exchange received_;
  per_core<results> out_;
  job_workers all_;
  core_id mine_ = here();  // spilled() is called by another core
};

template <class Key, class Value, class Input, class Map, class Combine, class Hash>
key_values<Key, Value, Hash> by_containers(const Input& input, Map map, Combine combine,
                                           const map_reduce_options& o, Hash hash) {
  using worker = input_mapper<container_worker<Key, Value, Combine, Hash>, Input, Map>;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  key_values<Key, Value, Hash> result;
  constexpr std::size_t k_slot_bytes = sizeof(typename hash_container<Key, Value, Hash>::slot);
  const shared_folder folder(o.scratch),
      resume(o.resume.empty() ? o.resume : work_prefix(o.resume, o.resume_part));
  // Empty functions must take no byte: padding may hold an old address, which looks like a capture
  // (message/delegate.hpp).
  struct functions {
    [[no_unique_address]] Map map;
    [[no_unique_address]] Combine combine;
    [[no_unique_address]] Hash hash;
    std::uint64_t job = 0;
  };
  functions f{map, combine, hash};
  if (!o.resume.empty()) {
    std::string identity;
    if constexpr (requires { input.identity(); }) identity = input.identity();
    f.job = begin_job(o, identity, k_slot_bytes);
  }
  const scoped_per_core<std::unique_ptr<job_worker>> workers;
  on_all_cores([f, tasks = stage.handle(), out = result.blocks(), workers = workers.handle(),
                memory = bounded_memory(o), shares = o.memory_shares, folder = folder.handle(),
                resume = resume.handle(), skipped = o.skipped.value_or(per_core<skipped_rows>()),
                has_skipped = std::uint64_t{o.skipped.has_value()}] {
    memory_bound bound = bound_of(memory, shares, folder.here().text, k_slot_bytes);
    bound.resume = resume.here().text;
    bound.job = f.job;
    workers.here() = std::make_unique<worker>(tasks, f.map, f.combine, f.hash, out, workers, std::move(bound),
                                              has_skipped != 0 ? std::optional(skipped) : std::nullopt);
  });
  (bounded_memory(o) != 0 ? run_hybrid_bounded : run_hybrid)(workers.handle(), clock, what);
  on_all_cores([workers = workers.handle()] { workers.here().reset(); });  // each core frees its own memory
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

/// The cells of one core for keys in a range, with either engine, and all stages except the map stage.
template <class Key, class Value, class Combine>
class array_worker : public job_worker {
  using results = typename key_values<Key, Value>::block;

 public:
  using emitter = dense_emitter<Key, Value, Combine>;

  array_worker(const Combine& combine, dense_keys keys, bool steals, per_core<results> out, job_workers all)
      : steals_(steals), out_(out), all_(all) {
    cells_.prepare(combine, keys.n);
  }

  void run(unsigned stage) override {
    switch (stage) {
      case k_map_pairs:
        return map(cells_, steals_);
      case k_join:
        return join_neighbours();
      case k_send_sizes:
        return exchange_.exchange_sizes(message_tag_of(all_.address(0)), pack());
      case k_send:
        return exchange_.exchange_data(message_tag_of(all_.address(0)));
      default:
        return finish();
    }
  }
  pair_counts count() const override {
    const std::uint64_t pairs = cells_.count_pairs();
    return {pairs, pairs, cells_.bytes()};
  }

 private:
  virtual void map(emitter& cells, bool steals) = 0;  // as in input_mapper
  void join_neighbours() {
    for (core_id p = 0; p < cores(); ++p)
      if (joiner_of(p) == here())
        for_each_neighbour(
            1, [&](core_id c) { cells_.join(static_cast<array_worker&>(*all_.at(c)).cells_, p); });
  }
  std::vector<std::vector<std::byte>> pack() const {
    std::vector<std::vector<std::byte>> chunks(cores());
    for (core_id p = 0; p < cores(); ++p)
      if (p != here()) cells_.write(p, chunks[p]);
    return chunks;
  }
  void finish() {
    if (processes() > 1 && steals_) {
      outgoing_chunks chunks;
      for (core_id p = 0; p < cores(); ++p)
        chunks.add([&](std::vector<std::byte>& bytes) {
          if (joiner_of(p) == here() && p != here()) cells_.write(p, bytes);
        });
      const auto got = chunks.exchange();
      for (core_id c = 0; c < cores(); ++c) cells_.join(std::span<const std::byte>(got[c]));
    }
    for (const std::vector<std::byte>& chunk : exchange_.received()) cells_.join(chunk);
    results& out = out_.here();
    cells_.for_each(here(), [&](std::uint64_t key, const Value& value) {
      out.list(key_traits<Key>::store(static_cast<Key>(key)), value);
    });
  }

  emitter cells_;
  bool steals_;
  pairwise_exchange exchange_;
  per_core<results> out_;
  job_workers all_;
};

template <class Key, class Value, class Input, class Map, class Combine>
key_values<Key, Value> by_arrays(const Input& input, dense_keys keys, Map map, Combine combine,
                                 const map_reduce_options& o) {
  refuse_bound(o, "arrays of keys");
  using worker = input_mapper<array_worker<Key, Value, Combine>, Input, Map>;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  key_values<Key, Value> result(o.engine);
  const bool steals = o.engine == engine::hybrid;
  const scoped_per_core<std::unique_ptr<job_worker>> workers;
  on_all_cores([=, tasks = stage.handle(), out = result.blocks(), workers = workers.handle()] {
    workers.here() = std::make_unique<worker>(tasks, map, combine, keys, steals, out, workers);
  });
  (steals ? run_hybrid : run_arrays_by_messages)(workers.handle(), clock, what);
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

/// Groups the pairs of this core's partition: those in the lists of all cores of the process, in place, and
/// those received from other processes. Then reduces each group.
template <class Key, class Value, class Hash>
class value_groups {
  using list = pair_list<Key, Value>;
  using slot = typename list::slot;

 public:
  explicit value_groups(const Hash& hash) : keys_(hash) {}

  /// Adds the pairs of a list, which must stay valid until reduce() has returned. Costs a prefetched look-up
  /// in the table of keys for each pair.
  void add(const list& pairs) {
    machine::require_chunk(pairs.size() * (sizeof(std::uint32_t) + sizeof(Value)), "values to group");
    group_of_.reserve(group_of_.size() + pairs.size());
    for_each_fetched(pairs, keys_, [&](const slot& s, std::uint64_t hash) {
      auto group = static_cast<std::uint32_t>(sizes_.size());
      const auto found = [&group](std::uint32_t known, std::uint32_t) { return group = known; };
      if (group == ~std::uint32_t{0})
        throw error("map_group_reduce: more than 4 billion different keys on a core");
      keys_.add(s.key, hash, group, found);
      if (group == sizes_.size()) sizes_.push_back(0);
      ++sizes_[group];
      group_of_.push_back(group);
    });
    lists_.push_back(&pairs);
  }

  /// Calls f(key, values) for each different key. Costs a copy of each value.
  template <class F>
  void reduce(F f) {
    std::vector<std::uint64_t> ends(sizes_.size() + 1, 0);
    for (std::size_t g = 0; g < sizes_.size(); ++g) ends[g + 1] = ends[g] + sizes_[g];
    std::vector<std::uint64_t> next(ends.begin(), ends.end() - 1);
    const sorting::sort_buffer<Value> values(group_of_.size());
    const std::uint32_t* group = group_of_.data();
    for (const list* pairs : lists_)
      pairs->for_each_slot([&](const slot& s) { values.data()[next[*group++]++] = s.value; });
    keys_.for_each_slot([&](const auto& k) {
      const std::uint64_t begin = ends[k.value];
      f(k.key, std::span<const Value>(values.data() + begin, sizes_[k.value]));
    });
  }

 private:
  hash_container<Key, std::uint32_t, Hash> keys_;  // the number of each key's group
  std::vector<std::uint64_t> sizes_;  // by group
  std::vector<std::uint32_t> group_of_;  // by pair
  std::vector<const list*> lists_;
};

/// The lists of one core, and all stages except the map stage.
template <class Key, class Value, class Result, class Reduce, class Hash>
class list_worker : public job_worker {
  using results = typename key_values<Key, Result, Hash>::block;

 public:
  using emitter = list_emitter<Key, Value, no_combine, Hash>;

  list_worker(const Reduce& reduce, const Hash& hash, per_core<results> out, job_workers all)
      : reduce_(reduce), out_(out), all_(all) {
    pairs_.prepare(no_combine{}, hash);
  }

  void run(unsigned stage) override {
    if (stage == k_map_pairs) return map(pairs_, true);
    if (stage == k_send) return exchange();
    value_groups<Key, Value, Hash> groups(pairs_.hash());
    for_each_neighbour(
        0, [&](core_id c) { groups.add(static_cast<list_worker&>(*all_.at(c)).pairs_.of(here())); });
    groups.add(remote_);
    results& out = out_.here();
    groups.reduce([&](const auto& key, std::span<const Value> values) {
      out.list(key, reduce_(key_traits<Key>::view(key), values));
    });
  }
  pair_counts count() const override { return {pairs_.emitted(), pairs_.pairs(), pairs_.bytes()}; }

 private:
  using list = typename emitter::list;

  virtual void map(emitter& pairs, bool steals) = 0;  // as in input_mapper
  /// Sends the lists for cores of other processes, and receives theirs for this one.
  void exchange() {
    outgoing_chunks chunks;
    for (core_id p = 0; p < cores(); ++p)
      chunks.add([&](std::vector<std::byte>& bytes) {
        list& pairs = pairs_.of(p);
        if (p - first_core(process()) < cores_per_process() || pairs.empty()) return;
        pairs.write(bytes);
        pairs.clear();
      });
    const auto got = chunks.exchange();
    for (core_id c = 0; c < cores(); ++c)
      if (!got[c].empty()) remote_.read(got[c]);
  }

  Reduce reduce_;
  emitter pairs_;
  list remote_;
  per_core<results> out_;
  job_workers all_;
};

template <class Key, class Value, class Result, class Input, class Map, class Reduce, class Hash>
key_values<Key, Result, Hash> by_lists(const Input& input, Map map, Reduce reduce,
                                       const map_reduce_options& o, Hash hash) {
  refuse_bound(o, "lists of values");
  using worker = input_mapper<list_worker<Key, Value, Result, Reduce, Hash>, Input, Map>;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  key_values<Key, Result, Hash> result;
  const scoped_per_core<std::unique_ptr<job_worker>> workers;
  on_all_cores([=, tasks = stage.handle(), out = result.blocks(), workers = workers.handle()] {
    workers.here() = std::make_unique<worker>(tasks, map, reduce, hash, out, workers);
  });
  run_hybrid_lists(workers.handle(), clock, what);
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

}  // namespace gossamer::mapreduce
