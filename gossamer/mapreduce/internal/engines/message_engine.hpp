#pragma once
// The reference engine, over two-sided messages alone (DiMR of "hybrid address spaces", section 3). Seven stages:
//
//   map         every core maps an equal block of the input, and appends pairs to a list for each core
//   combine     every core combines the pairs of its lists, unless all values are kept
//   partition   all-to-all in p - 1 steps: sizes, then pairs
//   group       every core groups equal keys, by radix sort of hashes
//   reduce      every core reduces its groups
//   sort        every core sorts its results by key
//   merge       along a binomial tree, if sorted results are requested (map_reduce_options::sorted), or read
//
// Stages end with a barrier. A core reads no memory of another.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/mapreduce/internal/containers/hash_groups.hpp"
#include "gossamer/mapreduce/internal/engines/list_emitter.hpp"
#include "gossamer/mapreduce/internal/exchange/message_exchange.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/mapreduce/map_stage.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"

namespace gossamer::mapreduce {

/// The reduce function of a job whose values are combined.
template <class Combine>
struct folded {
  Combine combine;
  template <class Key, class Value>
  Value operator()(const Key&, std::span<const Value> values) {
    Value all = values[0];
    for (const Value& v : values.subspan(1)) all = combine(all, v);
    return all;
  }
};

/// The stages of the engine.
enum message_stage : unsigned { k_map, k_combine, k_partition_sizes, k_partition, k_group, k_reduce, k_sort };

/// Runs the stages of a job and records their times. By one fiber; suspends.
void run_by_messages(job_workers workers, bool combines, stage_clock& clock, map_reduce_statistics& what);

/// The lists of one core, and all stages except the map stage.
template <class Key, class Value, class Result, class Combine, class Reduce, class Hash>
class message_worker : public job_worker {
  using results = typename key_values<Key, Result, Hash>::block;

 public:
  using emitter = list_emitter<Key, Value, Combine, Hash>;

  /// Makes the lists. `tag` identifies the messages of the job.
  message_worker(const Combine& combine, const Reduce& reduce, const Hash& hash, per_core<results> out,
                 message_tag tag)
      : reduce_(reduce), out_(out), tag_(tag) {
    pairs_.prepare(combine, hash);
  }

  void run(unsigned stage) override {
    switch (stage) {
      case k_map:
        return map(pairs_, false);
      case k_combine:
        return pairs_.combine_all();
      case k_partition_sizes:
        return exchange_.exchange_sizes(tag_, pack());
      case k_partition:
        return exchange_.exchange_data(tag_);
      case k_group:
        return group();
      case k_reduce:
        return reduce();
      default:
        if constexpr (requires(const Key& a, const Key& b) { a < b; }) {
          charge_sort(out_.here().listed.size());
          sort_slots(out_.here().listed, by_key{});
        }
    }
  }
  pair_counts count() const override { return {pairs_.emitted(), pairs_.pairs(), pairs_.bytes()}; }

 private:
  virtual void map(emitter& pairs, bool steals) = 0;  // as in input_mapper
  /// Removes the pairs for other cores from their lists and returns them.
  std::vector<std::vector<std::byte>> pack() {
    std::vector<std::vector<std::byte>> chunks(cores());
    for (core_id p = 0; p < cores(); ++p) {
      auto& pairs = pairs_.of(p);
      if (p == here() || pairs.empty()) continue;
      charge_pairs(pairs.size(), k_copy_pair_ns);
      pairs.write(chunks[p]);
      pairs.clear();
    }
    return chunks;
  }
  void group() {
    auto& pairs = pairs_.of(here());
    for (std::vector<std::byte>& chunk : exchange_.received()) {
      if (!chunk.empty()) pairs.read(chunk);
      chunk = {};
    }
    charge_pairs(pairs.size(), k_copy_pair_ns + k_group_pair_ns);
    groups_.add(pairs, pairs_.hash());
  }
  void reduce() {
    results& out = out_.here();
    groups_.for_each([&](const auto& key, std::span<const Value> values) {
      out.list(key, reduce_(key_traits<Key>::view(key), values));
    });
    groups_.clear();
    charge_pairs(pairs_.of(here()).size(), k_reduce_pair_ns);
    pairs_.of(here()).clear();
  }

  Reduce reduce_;
  emitter pairs_;
  pairwise_exchange exchange_;
  hash_groups<Key, Value> groups_;
  per_core<results> out_;
  message_tag tag_;
};

template <class Key, class Value, class Result, class Input, class Map, class Combine, class Reduce,
          class Hash>
key_values<Key, Result, Hash> by_messages(const Input& input, Map map, Combine combine, Reduce reduce,
                                          const map_reduce_options& o, Hash hash) {
  refuse_bound(o, "the engine by messages");
  using worker = input_mapper<message_worker<Key, Value, Result, Combine, Reduce, Hash>, Input, Map>;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  key_values<Key, Result, Hash> result(engine::messages);
  const scoped_per_core<std::unique_ptr<job_worker>> workers;
  on_all_cores([=, tasks = stage.handle(), out = result.blocks(), workers = workers.handle()] {
    workers.here() =
        std::make_unique<worker>(tasks, map, combine, reduce, hash, out, message_tag_of(workers.address(0)));
  });
  run_by_messages(workers.handle(), !std::is_same_v<Combine, no_combine>, clock, what);
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

}  // namespace gossamer::mapreduce
