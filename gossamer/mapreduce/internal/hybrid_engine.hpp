#pragma once
// The hybrid engine of "hybrid address spaces" (section 4): containers combine while pairs are emitted; in a process a
// partition is joined from the containers of all cores where they lie. Between processes each core sends in bulk.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/mapreduce/internal/dense_array.hpp"
#include "gossamer/mapreduce/internal/emitter.hpp"
#include "gossamer/mapreduce/internal/map_stage.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/parallel/collective.hpp"

namespace gossamer::mapreduce {

/// Calls f(slot, hash) for each pair of a container or list; `table`, in which f looks the key up, is asked to fetch
/// the slots of 32 keys ahead.
template <class Pairs, class Table, class F>
void for_each_fetched(const Pairs& from, const Table& table, F f) {
  constexpr unsigned k_ahead = 32;
  std::array<std::pair<const typename Pairs::slot*, std::uint64_t>, k_ahead> pending;
  unsigned waiting = 0;
  const auto flush = [&] {
    for (unsigned i = 0; i < waiting; ++i) f(*pending[i].first, pending[i].second);
    waiting = 0;
  };
  from.for_each_slot([&](const typename Pairs::slot& s) {
    const std::uint64_t hash = table.hash_of(s.key);
    table.prefetch(hash);
    pending[waiting] = {&s, hash};
    if (++waiting == k_ahead) flush();
  });
  flush();
}

/// Joins the pairs of `from` into `into`, with look-ups fetched ahead.
template <class Container, class Combine>
void join(const Container& from, Container& into, Combine& combine) {
  into.reserve(from.size());
  for_each_fetched(from, into, [&](const typename Container::slot& s, std::uint64_t hash) {
    into.add(s.key, hash, s.value, combine);
  });
}

/// The parts that a core sends, one behind the other.
struct outgoing_parts {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> counts;

  /// Appends the part for the next core.
  template <class Write>
  void add(Write write) {
    const std::size_t before = bytes.size();
    write(bytes);
    counts.push_back(bytes.size() - before);
  }
  by_core<std::byte> exchange() const { return all_to_all(std::span<const std::byte>(bytes), counts); }
};

template <class Key, class Value, class Input, class Map, class Combine, class Hash>
key_values<Key, Value, Hash> by_containers(const Input& input, Map map, Combine combine,
                                           const map_reduce_options& o, Hash hash) {
  using emitter = mapreduce::emitter<Key, Value, Combine, Hash>;
  using slot = typename emitter::container::slot;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  const scoped_per_core<emitter> emitters;
  stage.template run<true>(
      emitters.handle(), [combine, hash](emitter& mine) { mine.prepare(combine, hash); }, map);
  what.map_seconds = clock.lap();
  if (o.statistics != nullptr) count_pairs(emitters.handle(), what);

  on_all_cores([emitters = emitters.handle()] {
    emitter& mine = emitters.here();
    const core_id first = first_core(process());
    const unsigned team = cores_per_process();
    for (core_id p = 0; p < cores(); ++p) {
      if (joiner_of(p) != here()) continue;
      for (unsigned k = 1; k < team; ++k)
        join(emitters.at(first + (here() - first + k) % team).of(p), mine.of(p), mine.combine());
    }
  });
  what.reduce_seconds = clock.lap();

  key_values<Key, Value, Hash> result;
  on_all_cores([emitters = emitters.handle(), result = result.parts()] {
    emitter& mine = emitters.here();
    if (processes() > 1) {
      outgoing_parts parts;
      for (core_id p = 0; p < cores(); ++p)
        parts.add([&](std::vector<std::byte>& bytes) {
          if (joiner_of(p) != here() || p == here()) return;
          pair_writer<Key, slot> pairs;
          mine.of(p).for_each_slot([&](const slot& s) { pairs.add(s); });
          mine.of(p).clear();
          pairs.write(bytes);
        });
      const auto got = parts.exchange();
      for (core_id c = 0; c < cores(); ++c) {
        if (got[c].empty()) continue;
        for_each_flat<Key, slot>(std::span<const std::byte>(got[c]), [&](const slot& s) {
          mine.of(here()).add(s.key, mine.of(here()).hash_of(s.key), s.value, mine.combine());
        });
      }
    }
    result.here().pairs = std::move(mine.of(here()));
  });
  what.exchange_seconds = clock.lap();
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

/// Keys in a range, by either engine: what is emitted is combined in an array, and the ranges are joined.
template <class Key, class Value, class Input, class Map, class Combine>
key_values<Key, Value> by_arrays(const Input& input, dense_keys keys, Map map, Combine combine,
                                 const map_reduce_options& o) {
  using emitter = dense_emitter<Key, Value, Combine>;
  using slot = typename key_values<Key, Value>::slot;
  const bool only_messages = o.engine == engine::messages;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  const scoped_per_core<emitter> emitters;
  const auto prepare = [combine, n = keys.n](emitter& mine) { mine.prepare(combine, n); };
  if (only_messages)
    stage.template run<false>(emitters.handle(), prepare, map);
  else
    stage.template run<true>(emitters.handle(), prepare, map);
  what.map_seconds = clock.lap();
  if (o.statistics != nullptr) count_pairs(emitters.handle(), what);

  key_values<Key, Value> result(o.engine);
  if (only_messages) {
    const scoped_per_core<pairwise_exchange> exchange;
    const message_tag tag = message_tag_of(emitters.address(0));
    on_all_cores([emitters = emitters.handle(), exchange = exchange.handle(), tag] {
      std::vector<std::vector<std::byte>> parts(cores());
      for (core_id p = 0; p < cores(); ++p)
        if (p != here()) emitters.here().write(p, parts[p]);
      exchange.here().exchange_sizes(tag, std::move(parts));
    });
    on_all_cores([exchange = exchange.handle(), tag] { exchange.here().exchange_data(tag); });
    what.partition_seconds = clock.lap();
    on_all_cores([emitters = emitters.handle(), exchange = exchange.handle()] {
      for (std::vector<std::byte>& part : exchange.here().received()) {
        emitters.here().join(part);
        part = {};
      }
    });
  } else {
    on_all_cores([emitters = emitters.handle()] {
      emitter& mine = emitters.here();
      const core_id first = first_core(process());
      const unsigned team = cores_per_process();
      for (core_id p = 0; p < cores(); ++p)
        for (unsigned k = 1; joiner_of(p) == here() && k < team; ++k)
          mine.join(emitters.at(first + (here() - first + k) % team), p);
    });
  }
  what.reduce_seconds = clock.lap();

  on_all_cores([emitters = emitters.handle(), result = result.parts(), only_messages] {
    emitter& mine = emitters.here();
    if (processes() > 1 && !only_messages) {
      outgoing_parts parts;
      for (core_id p = 0; p < cores(); ++p)
        parts.add([&](std::vector<std::byte>& bytes) {
          if (joiner_of(p) == here() && p != here()) mine.write(p, bytes);
        });
      const auto got = parts.exchange();
      for (core_id c = 0; c < cores(); ++c) mine.join(std::span<const std::byte>(got[c]));
    }
    auto& part = result.here();
    mine.for_each(here(), [&](std::uint64_t key, const Value& value) {
      part.listed.push_back(slot{key_traits<Key>::store(static_cast<Key>(key)), value});
    });
  });
  what.exchange_seconds = clock.lap();
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

/// Groups the pairs of this core's partition: the lists of all cores of the process where they lie, and those that came
/// from others. Then reduces each group.
template <class Key, class Value, class Hash>
class value_groups {
  using list = pair_list<Key, Value>;
  using slot = typename list::slot;

 public:
  explicit value_groups(const Hash& hash) : keys_(hash) {}

  /// Takes the pairs of a list, which stays until reduce() has returned. Costs a look-up in the table of keys, fetched ahead.
  void add(const list& pairs) {
    machine::require_piece(pairs.size() * (sizeof(std::uint32_t) + sizeof(Value)), "values to group");
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
    const sort_buffer<Value> values(group_of_.size());
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

template <class Key, class Value, class Result, class Input, class Map, class Reduce, class Hash>
key_values<Key, Result, Hash> by_lists(const Input& input, Map map, Reduce reduce,
                                       const map_reduce_options& o, Hash hash) {
  using emitter = list_emitter<Key, Value, no_combine, Hash>;
  using list = typename emitter::list;
  map_reduce_statistics what;
  stage_clock clock;
  const map_stage<Input> stage(input, o);
  what.open_seconds = clock.lap();

  const scoped_per_core<emitter> emitters;
  stage.template run<true>(
      emitters.handle(), [hash](emitter& mine) { mine.prepare(no_combine{}, hash); }, map);
  what.map_seconds = clock.lap();
  if (o.statistics != nullptr) count_pairs(emitters.handle(), what);

  const scoped_per_core<list> remote;
  if (processes() > 1)
    on_all_cores([emitters = emitters.handle(), remote = remote.handle()] {
      const core_id first = first_core(process());
      outgoing_parts parts;
      for (core_id p = 0; p < cores(); ++p)
        parts.add([&](std::vector<std::byte>& bytes) {
          list& pairs = emitters.here().of(p);
          if (p - first < cores_per_process() || pairs.empty()) return;
          pairs.write(bytes);
          pairs.clear();
        });
      const auto got = parts.exchange();
      for (core_id c = 0; c < cores(); ++c)
        if (!got[c].empty()) remote.here().read(got[c]);
    });
  what.exchange_seconds = clock.lap();

  key_values<Key, Result, Hash> result;
  on_all_cores([reduce, emitters = emitters.handle(), remote = remote.handle(), result = result.parts()] {
    Reduce f(reduce);
    value_groups<Key, Value, Hash> groups(emitters.here().hash());
    const core_id first = first_core(process());
    const unsigned team = cores_per_process();
    for (unsigned k = 0; k < team; ++k)
      groups.add(emitters.at(first + (here() - first + k) % team).of(here()));
    groups.add(remote.here());
    auto& part = result.here();
    groups.reduce([&](const auto& key, std::span<const Value> values) {
      part.list(key, f(key_traits<Key>::view(key), values));
    });
  });
  what.reduce_seconds = clock.lap();
  if (o.statistics != nullptr) *o.statistics = what;
  return result;
}

}  // namespace gossamer::mapreduce
