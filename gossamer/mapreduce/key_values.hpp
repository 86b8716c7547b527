#pragma once
// The result of a MapReduce job: each key once, with its value, spread over the cores by the hash of the key.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/row_output.hpp"
#include "gossamer/mapreduce/internal/results/result_block.hpp"
#include "gossamer/mapreduce/internal/results/result_merge.hpp"
#include "gossamer/mapreduce/internal/results/stored_merge.hpp"
#include "gossamer/mapreduce/internal/results/write_results.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/mapreduce/result_order.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/parallel/remote.hpp"

namespace gossamer {

/// Owns the pairs of a result. Moved, not copied. Every function is for one fiber, and suspends.
template <class Key, class Value, class Hash = mapreduce::default_hash>
class key_values {
  using traits = mapreduce::key_traits<Key>;

 public:
  /// A pair as a container holds it.
  using slot = typename mapreduce::hash_container<Key, Value, Hash>::slot;
  /// A key that owns its bytes.
  using owned_key = std::conditional_t<traits::k_is_text, std::string, Key>;
  /// A pair that owns its key.
  using pair = std::pair<owned_key, Value>;

  /// What a core has of the result: its pairs in one of three forms.
  using block = mapreduce::result_block<Key, Value, Hash>;

  key_values() = default;
  /// Makes an empty result of an engine: by messages, sorted pairs are merged along a binomial tree of all cores.
  explicit key_values(engine by) : by_(by) {}

  /// Counts the keys.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : gossamer::collect(blocks(), [](block& p) { return p.size(); })) sum += n;
    return sum;
  }

  /// Returns the first k pairs in an order: those with the largest values. Each core chooses its first k, so
  /// k * cores() pairs travel.
  template <class Order = by_value>
  std::vector<pair> top(std::uint64_t k, Order before = {}) const {
    on_all_cores([k, before, all = blocks()] { all.here().find_first(k, before); });
    std::vector<pair> first;
    const auto take = [&](const slot& s) {
      if (first.size() == k) return false;
      first.emplace_back(owned_key(traits::view(s.key)), s.value);
      return true;
    };
    mapreduce::merge_sorted(blocks(), before, mapreduce::pair_taker<block>(take));
    return first;
  }

  /// Calls f(key, value) for every pair, in order, on the calling fiber. Every core sorts its pairs; then they come to
  /// the caller's process and are merged there. Results of engine::messages are merged on the way, in log2(cores())
  /// rounds, and end at the caller's core. What lies in scratch files is sorted to runs there, and merged as it is read;
  /// other processes send it in chunks. `key` is a std::string_view where keys are texts.
  template <class Order, class F>
  void for_each_sorted(Order before, F f) const {
    for_each_slot(before, [&](const slot& s) { f(traits::view(s.key), s.value); });
  }

  /// Writes all pairs, in order, as text. Every core sorts, formats and writes ranges of the order; between processes each
  /// pair travels once, and its text again, to process 0. format(rank, each) returns the text of some pairs that follow one another:
  /// each(f) calls f(key, value) for them, and `rank` pairs come before. It runs on any core, for many ranges at once, and
  /// must not suspend; it is copied as bytes. Where pairs lie in scratch files, or come from engine::messages, one
  /// core merges them, and the cores of its process format them. Memory: 36 bytes a pair, and 16 chunks of text a core.
  /// Throws gossamer::error where the file cannot be written. By the main fiber; suspends.
  template <class Order, class Format>
  void write_sorted(Order before, const row_output& to, Format format) const {
    if (by_ == engine::hybrid && !is_stored()) return mapreduce::write_ordered(blocks(), before, to, format);
    mapreduce::batch_writer<block, Format> writer(to, format);
    for_each_slot(before, [&](const slot& s) { writer.add(s); });
    writer.finish(to.after);
  }

  /// Returns all pairs, in order, in the caller's process.
  template <class Order = by_key>
  std::vector<pair> collect(Order before = {}) const {
    std::vector<pair> all;
    all.reserve(size());
    for_each_slot(before, [&](const slot& s) { all.emplace_back(owned_key(traits::view(s.key)), s.value); });
    return all;
  }

  /// Calls f(key, value) for every pair, each on the core that has it, in no order. f is copied as bytes.
  template <class F>
  void for_each(F f, std::source_location where = std::source_location::current()) const {
    parallel::check_body(f, where);
    on_all_cores([f, all = blocks()] {
      F mine(f);
      all.here().for_each_slot([&](slot& s) { mine(traits::view(s.key), s.value); });
    });
  }

  /// Returns what each core has.
  per_core<block> blocks() const { return all_->handle(); }

  /// Returns whether the pairs lie in scratch files. By one fiber; suspends.
  bool is_stored() const {
    bool any = false;
    for (const char here :
         gossamer::collect(blocks(), [](block& p) { return static_cast<char>(p.stored != nullptr); }))
      any |= here != 0;
    return any;
  }

 private:
  /// Does what for_each_sorted() says. Compiled once for each order, whatever is done with the pairs.
  template <class Order>
  void for_each_slot(Order before, function_ref<void(const slot&)> f) const {
    if (is_stored()) return mapreduce::merge_stored(blocks(), before, f);
    on_all_cores([before, all = blocks()] {
      block& mine = all.here();
      mine.sorted.clear();
      mine.sorted.reserve(mine.size());
      mine.for_each_slot([&](const slot& s) { mine.sorted.push_back(s); });
      mapreduce::sort_slots(mine.sorted, before);
    });
    const auto take = [&](const slot& s) {
      f(s);
      return true;
    };
    const mapreduce::pair_taker<block> taker(take);
    if (by_ == engine::messages)
      mapreduce::merge_by_messages(blocks(), before, taker);
    else
      mapreduce::merge_sorted(blocks(), before, taker);
  }

  engine by_ = engine::hybrid;
  std::unique_ptr<scoped_per_core<block>> all_ = std::make_unique<scoped_per_core<block>>();
};

}  // namespace gossamer
