#pragma once
// MapReduce over all cores: a map function emits pairs, and the values of equal keys are combined. The hybrid engine of
// "hybrid address spaces" (section 4); engine::messages is the paper's reference for comparison:
//
//   map        every core emits into a container per partition; there is one partition per core. Equal keys are combined
//              while they are emitted, unless nearly all keys are new. Idle cores take map tasks of other cores of their
//              process, without interrupting them.
//   reduce     core i joins partition i of the cores i, i+1, ... of its process, in place. Between processes
//              each sends what it has joined, in bulk.
//   sort       on request: all cores sort the results by key, by regular sampling.
// Each stage ends with a barrier, and there is no other barrier.
//
// Three containers: map_reduce() combines in hash tables, or with dense_keys in arrays; map_group_reduce() keeps all
// values in lists and calls a reduce function with the values of each key.
//
//   auto counts = map_reduce<std::string_view, std::uint64_t>(
//       text_input({"a.txt", "b.txt.gz"}), [](std::string_view text, auto& out) {
//         for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
//       });
//   for (const auto& [word, count] : counts.top(20)) print("{} {}\n", count, word);

#include <concepts>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>

#include "gossamer/files/text_input.hpp"
#include "gossamer/mapreduce/count_input.hpp"
#include "gossamer/mapreduce/hybrid_engine.hpp"
#include "gossamer/mapreduce/internal/engines/message_engine.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"

namespace gossamer {

/// Runs map(element, out) for each element of `input`, and combines the values of each key that it emits by
/// out.emit(key, value). Elements depend on the input: chunks of text, indices, records. By one fiber;
/// suspends.
/// Types: Key is std::string_view, or a trivially copyable type whose equal values have equal bytes. Value is
/// trivially copyable.
/// Functions: combine(a, b) must be associative and commutative. map, combine and hash are copied as bytes to
/// all cores. map and combine capture numbers and handles; Hash is default-constructible. map must not
/// suspend. An exception of map or combine ends the job on all cores, and is rethrown here.
/// Hash: a hash with few different values makes look-ups slow, because a table compares a key with all keys
/// of its hash. A hash with a function partition(key, partitions) also chooses the core of a key, from 0 to
/// partitions - 1; otherwise the hash's highest bits do.
/// Memory: a container of the distinct keys on each core, at most twice the pairs. If nearly all keys are
/// new, lists of at most four times the distinct keys instead. With engine::messages: lists of pairs of 64
/// MiB, or three times the size that combining leaves, and another 16 bytes per pair.
template <class Key, class Value, class Input, class Map, class Combine = std::plus<>,
          class Hash = mapreduce::default_hash>
  requires(!std::same_as<Map, dense_keys>)
key_values<Key, Value, Hash> map_reduce(const Input& input, Map map, Combine combine = {},
                                        const map_reduce_options& o = {}, Hash hash = {},
                                        std::source_location where = std::source_location::current()) {
  static_assert(!std::is_same_v<Combine, no_combine>,
                "values that are kept need a function that reduces them: map_group_reduce()");
  parallel::check_body(map, where);
  return mapreduce::run_ordered(o, [&](const map_reduce_options& run) {
    if (run.engine == engine::messages)
      return mapreduce::by_messages<Key, Value, Value>(input, map, combine,
                                                       mapreduce::folded<Combine>{combine}, run, hash);
    return mapreduce::by_containers<Key, Value>(input, map, combine, run, hash);
  });
}

/// Runs map_reduce() for keys that are the integers 0 to keys.n - 1: values are combined in an array, and no key is hashed.
/// Any other key is a gossamer::error. out.emit_range(first, values) emits values[i] with the key first + i: for a map function
/// that has combined a chunk in local variables, which the compiler keeps in registers. An emission costs ~0.4 ns. Memory: a
/// value and a byte (padded) for each touched key on each core.
template <class Key, class Value, class Input, class Map, class Combine = std::plus<>>
key_values<Key, Value> map_reduce(const Input& input, dense_keys keys, Map map, Combine combine = {},
                                  map_reduce_options o = {},
                                  std::source_location where = std::source_location::current()) {
  static_assert(!std::is_same_v<Combine, no_combine>,
                "values that are kept need a function that reduces them: map_group_reduce()");
  parallel::check_body(map, where);
  return mapreduce::run_ordered(o, [&](const map_reduce_options& run) {
    return mapreduce::by_arrays<Key, Value>(input, keys, map, combine, run);
  });
}

/// Runs map(element, out) for each element, combines nothing, and calls reduce(key, values) once for each key. `values` is
/// a std::span<const Value> of all values emitted for the key, in any order, valid while reduce runs. The result of
/// reduce, trivially copyable, is the value of the key in the result. reduce is copied as bytes to all cores, and must
/// not suspend. Otherwise as map_reduce().
/// Cost: the map stage only appends to lists of its core, so a frequent key slows down no other core. In the reduce stage only the
/// owner of a key works on it: a prefetched look-up and two reads per pair, a copy of each value, and reduce itself. If
/// one key has most of the pairs, one core does most of that stage: use map_reduce() if values can be combined.
/// Memory: all pairs, then 4 bytes and a value for each of them; with several processes two copies of the pairs sent.
template <class Key, class Value, class Input, class Map, class Reduce, class Hash = mapreduce::default_hash>
auto map_group_reduce(const Input& input, Map map, Reduce reduce, map_reduce_options o = {}, Hash hash = {},
                      std::source_location where = std::source_location::current()) {
  using result = std::remove_cvref_t<std::invoke_result_t<Reduce&, const Key&, std::span<const Value>>>;
  static_assert(std::is_trivially_copyable_v<result>, "results are copied as bytes");
  parallel::check_body(map, where);
  parallel::check_body(reduce, where);
  return mapreduce::run_ordered(o, [&](const map_reduce_options& run) {
    if (run.engine == engine::messages)
      return mapreduce::by_messages<Key, Value, result>(input, map, no_combine{}, reduce, run, hash);
    return mapreduce::by_lists<Key, Value, result>(input, map, reduce, run, hash);
  });
}

}  // namespace gossamer
