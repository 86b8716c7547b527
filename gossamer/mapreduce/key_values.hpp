#pragma once
// The result of a MapReduce job: each key once, with its value, divided among the cores by the hash of the key.

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
#include "gossamer/mapreduce/internal/results/ordered_range.hpp"
#include "gossamer/mapreduce/internal/results/regular_sort.hpp"
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

/// Owns the pairs of a result. Move-only. One fiber calls its functions at a time; they suspend.
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

  /// Whether keys can be ordered.
  static constexpr bool k_has_order = requires(const Key& a, const Key& b) { a < b; };
  /// One core's part of the result: its pairs in one of three forms.
  using block = mapreduce::result_block<Key, Value, Hash>;

  key_values() = default;
  /// Makes an empty result of an engine. With engine::messages, sorted pairs are merged along a binomial tree of all cores.
  explicit key_values(engine by) : by_(by) {}

  /// Returns the number of keys.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : gossamer::collect(blocks(), [](block& p) { return p.size(); })) sum += n;
    return sum;
  }

  /// Returns the first k pairs of an order; by default those with the largest values. Each core selects its
  /// first k, so k * cores() pairs are sent.
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

  /// Calls f(key, value) for every pair, in order, on the calling fiber. `key` is a std::string_view if keys
  /// are texts. All cores sort the pairs by regular sampling; then pairs of other processes are copied to the
  /// caller's process. Results of engine::messages are sorted by each core and merged in log2(cores()) rounds
  /// on the way to the caller's core. Pairs in scratch files are sorted into runs there, and merged while
  /// they are read; other processes send theirs in chunks. If the order is by_key and the job has sorted
  /// (map_reduce_options::sorted), pairs are only read.
  template <class Order, class F>
  void for_each_sorted(Order before, F f) const {
    for_each_slot(before, [&](const slot& s) { f(traits::view(s.key), s.value); });
  }

  /// Writes all pairs, in order, as text. Every core sorts, formats and writes ranges of the order. Between
  /// processes each pair travels once, and its text once more, to process 0. format(rank, each) returns the
  /// text of consecutive pairs: each(f) calls f(key, value) for them, and `rank` pairs precede them. format
  /// is copied as bytes, runs on any core, for many ranges at once, and must not suspend. If pairs are in
  /// scratch files, or are results of engine::messages, one core merges them, and the cores of its process
  /// format them. Memory: 36 bytes per pair, and 16 chunks of text per core. Throws gossamer::error if the
  /// file cannot be written. By the main fiber; suspends.
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
    if (by_ == engine::messages || is_stored()) {
      all.reserve(size());
      for_each_slot(before,
                    [&](const slot& s) { all.emplace_back(owned_key(traits::view(s.key)), s.value); });
      return all;
    }
    read_in_order(before, [&](const reader& ranges) {
      all = ranges.template make_all<pair>(
          [](const slot& s) { return pair(owned_key(traits::view(s.key)), s.value); });
    });
    return all;
  }

  /// Sorts the pairs by key and stores this order: collect() and for_each_sorted() by key then only read
  /// them. All cores sort; with engine::messages each core sorts, and a binomial tree merges to the caller's
  /// core. Takes memory for one more copy of the pairs. Does nothing if pairs are in scratch files, which are
  /// merged while they are read. The result must not change afterwards.
  void keep_order(pivots by = pivots::all_cores) {
    if (is_in_order() || is_stored()) return;
    auto ranges = std::make_unique<scoped_per_core<range>>();
    if (by_ == engine::messages) {
      mapreduce::sort_on_each_core(blocks(), by_key());
      keep_merged(*ranges);
    } else {
      mapreduce::regular_sort<block, by_key>::run(blocks(), ranges->handle(), by_key(), by);
    }
    in_order_ = std::move(ranges);
  }
  /// Returns whether keep_order() has stored an order.
  bool is_in_order() const { return in_order_ != nullptr; }

  /// Calls f(key, value) for every pair, on the core that owns it, in an arbitrary order. f is copied as
  /// bytes.
  template <class F>
  void for_each(F f, std::source_location where = std::source_location::current()) const {
    parallel::check_body(f, where);
    on_all_cores([f, all = blocks()] {
      F mine(f);
      all.here().for_each_slot([&](slot& s) { mine(traits::view(s.key), s.value); });
    });
  }

  /// Returns a handle of every core's part.
  per_core<block> blocks() const { return all_->handle(); }

  /// Returns whether the pairs are in scratch files. By one fiber; suspends.
  bool is_stored() const {
    bool any = false;
    for (const char here :
         gossamer::collect(blocks(), [](block& p) { return static_cast<char>(p.stored != nullptr); }))
      any |= here != 0;
    return any;
  }

 private:
  using range = mapreduce::ordered_range<slot>;
  using reader = mapreduce::range_reader<block>;

  /// Merges the sorted ranges of the cores, and stores the result.
  void keep_merged(const scoped_per_core<range>& ranges) {
    mapreduce::merge_by_messages(blocks(), by_key());
    range& mine = ranges.here();
    mine.slots = std::move(blocks().here().sorted);
    if constexpr (traits::k_is_text)
      for (slot& s : mine.slots)
        if (s.key.is_long())
          s.key.first = reinterpret_cast<std::uintptr_t>(mine.texts.keep(s.key.text()).data());
    mapreduce::forget_sorted(blocks());
  }

  /// Calls f(reader) with the pairs in memory in an order: stored by keep_order(), or sorted for this call.
  template <class Order>
  void read_in_order(Order before, function_ref<void(const reader&)> f) const {
    if constexpr (std::is_same_v<Order, by_key>)
      if (is_in_order()) return f(reader(in_order_->handle()));
    const scoped_per_core<range> ranges;
    mapreduce::regular_sort<block, Order>::run(blocks(), ranges.handle(), before, pivots::all_cores);
    f(reader(ranges.handle()));
  }

  /// Implements for_each_sorted(). Compiled once for each order, independent of f.
  template <class Order>
  void for_each_slot(Order before, function_ref<void(const slot&)> f) const {
    if (is_stored()) return mapreduce::merge_stored(blocks(), before, f);
    if (by_ == engine::hybrid || (std::is_same_v<Order, by_key> && is_in_order()))
      return read_in_order(before, [&](const reader& ranges) { ranges.for_each(f); });
    mapreduce::sort_on_each_core(blocks(), before);
    mapreduce::merge_by_messages(blocks(), before);
    for (const slot& s : blocks().here().sorted) f(s);
    mapreduce::forget_sorted(blocks());
  }

  engine by_ = engine::hybrid;
  std::unique_ptr<scoped_per_core<mapreduce::ordered_range<slot>>> in_order_;
  std::unique_ptr<scoped_per_core<block>> all_ = std::make_unique<scoped_per_core<block>>();
};

}  // namespace gossamer
