#pragma once
// MapReduce over all cores: a map function emits pairs, pairs of one key are combined. The hybrid engine of
// "hybrid address spaces" (section 4; engine::messages is the paper's reference for comparison):
//
//   map        every core emits into a container for each partition, one partition a core; equal keys are combined
//              while they are emitted, but where nearly all keys are new. Idle cores take map work of others of their process,
//              without interrupting them.
//   reduce     core i joins partition i of the cores i, i+1, ... of its process, where they lie. Between processes
//              each sends what it has joined, in bulk.
//   sort       where it is asked for, all cores put the results in the order of their keys by regular sampling.
// Stages end with a barrier, and there is no other.
//
// Three containers: map_reduce() combines in hash tables, or with dense_keys in arrays; map_group_reduce() keeps all
// values in lists and calls a function of the user with those of each key.
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
/// out.emit(key, value). By one fiber; suspends. Elements are those of the input: chunks of text, indices, records.
/// Key: std::string_view, or a trivially copyable type whose equal values have equal bytes. Value: trivially copyable.
/// combine(a, b) is associative and commutative. map, combine and hash are copied as bytes to all cores: they capture
/// numbers and handles. map must not suspend. What it or combine throws arrives here, and the job of all cores ends.
/// A hash of few different values makes look-ups long: a table compares a key with all keys of its hash. A hash that has a function
/// partition(key, partitions) also says which core gets a key, from 0 to partitions - 1; otherwise the hash's highest bits do.
/// Memory: a container of the distinct keys on each core, at most twice the pairs; where nearly all keys are new, lists of at most four
/// times the distinct keys instead. By messages: lists of pairs of
/// 64 MiB, or three times what is left of them when they are combined, and further 16 bytes a pair.
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

/// Does the same where keys are the integers 0 to keys.n - 1: values are combined in an array, and no key is hashed.
/// A key that is none of those is a gossamer::error. out.emit_range(first, values) emits values[i] with the key first + i: for a map function
/// that has combined a chunk in local variables, where the compiler keeps them in registers. An emission costs ~0.4 ns. Memory: a
/// value and a byte (padded) for each key on each core, of those that are touched.
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
/// a std::span<const Value> of all that was emitted for the key, in any order; it stays while reduce runs. What
/// reduce returns, trivially copyable, is the value of the key in the result. Otherwise as map_reduce(): reduce is
/// copied as bytes to all cores, and must not suspend.
/// The map stage only appends to lists of its core, so a frequent key slows down no other. The reduce stage of a key is its
/// owner's alone: a look-up fetched ahead and two reads of each pair, a copy of each value, and reduce itself. Where
/// one key has most of the pairs, one core works most of that stage: use map_reduce() where values can be combined.
/// Memory: all pairs, then 4 bytes and a value for each of them; between processes two copies of what travels.
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
