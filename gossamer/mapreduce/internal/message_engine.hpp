#pragma once
// The reference engine, over two-sided messages alone (DiMR of "hybrid address spaces", section 3). Seven stages:
//
//   map         every core maps an equal share of the input, and appends pairs to a list for each core
//   combine     every core combines the pairs of its lists; not where values are kept
//   partition   all-to-all in p - 1 steps: sizes, then pairs
//   group       every core brings equal keys together, by radix sort of hashes
//   reduce      every core reduces its groups
//   sort        every core sorts its results by key
//   merge       along a binomial tree, when sorted results are asked for (key_values)
//
// Stages end with a barrier. A core reads no memory of another.

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/mapreduce/internal/emitter.hpp"
#include "gossamer/mapreduce/internal/hash_groups.hpp"
#include "gossamer/mapreduce/internal/map_stage.hpp"
#include "gossamer/mapreduce/internal/message_exchange.hpp"
#include "gossamer/mapreduce/key_values.hpp"

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

template <class Key, class Value, class Result, class Input, class Map, class Combine, class Reduce,
          class Hash>
key_values<Key, Result, Hash> by_messages(const Input& input, Map map, Combine combine, Reduce reduce,
                                          const map_reduce_options& o, Hash hash) {
  using emitter = list_emitter<Key, Value, Combine, Hash>;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  const scoped_per_core<emitter> emitters;
  stage.template run<false>(
      emitters.handle(), [combine, hash](emitter& mine) { mine.prepare(combine, hash); }, map);
  what.map_seconds = clock.lap();

  if constexpr (emitter::k_combines)
    on_all_cores([emitters = emitters.handle()] { emitters.here().combine_all(); });
  what.combine_seconds = clock.lap();
  if (o.statistics != nullptr) count_pairs(emitters.handle(), what);
  clock.lap();

  const scoped_per_core<pairwise_exchange> exchange;
  const message_tag tag = message_tag_of(emitters.address(0));
  on_all_cores([emitters = emitters.handle(), exchange = exchange.handle(), tag] {
    std::vector<std::vector<std::byte>> parts(cores());
    for (core_id p = 0; p < cores(); ++p) {
      auto& pairs = emitters.here().of(p);
      if (p == here() || pairs.empty()) continue;
      pairs.write(parts[p]);
      pairs.clear();
    }
    exchange.here().exchange_sizes(tag, std::move(parts));
  });
  on_all_cores([exchange = exchange.handle(), tag] { exchange.here().exchange_data(tag); });
  what.partition_seconds = clock.lap();

  const scoped_per_core<hash_groups<Key, Value>> groups;
  on_all_cores([emitters = emitters.handle(), exchange = exchange.handle(), groups = groups.handle()] {
    auto& pairs = emitters.here().of(here());
    for (std::vector<std::byte>& part : exchange.here().received()) {
      if (!part.empty()) pairs.read(part);
      part = {};
    }
    groups.here().add(pairs, emitters.here().hash());
  });
  what.group_seconds = clock.lap();

  key_values<Key, Result, Hash> result(engine::messages);
  on_all_cores([reduce, groups = groups.handle(), emitters = emitters.handle(), result = result.parts()] {
    Reduce f(reduce);
    auto& part = result.here();
    groups.here().for_each([&](const auto& key, std::span<const Value> values) {
      part.list(key, f(key_traits<Key>::view(key), values));
    });
    groups.here().clear();
    emitters.here().of(here()).clear();
  });
  what.reduce_seconds = clock.lap();

  if constexpr (requires(const Key& a, const Key& b) { a < b; })
    on_all_cores([result = result.parts()] { std::ranges::sort(result.here().listed, by_key{}); });
  what.sort_seconds = clock.lap();
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

}  // namespace gossamer::mapreduce
