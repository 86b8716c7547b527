#pragma once
// Sorts the pairs of all cores, by all cores (sample sort). Each process gets one range of the order, so a
// pair travels between processes at most once. The range is divided into buckets that fit a core's cache.
// Pairs stay in their containers: the sort moves entries of 16 bytes (slot_sort.hpp). The core that reads a
// bucket sorts it.
//
//   on all cores      draw samples | between processes: choose splitters, send each pair to its range
//   on first cores    choose splitters of buckets
//   on all cores      make the entry of each pair, and find its bucket
//   on first cores    compute the place of each core's entries in each bucket
//   on all cores      scatter the entries
//
// Stages are calls of on_all_cores(), so a barrier ends each of them, and an exception of any core ends the job.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/results/process_range.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// One process's range of the order. Block: as result_block. Only pairs in memory are included.
template <class Block, class Order>
class process_order {
 public:
  using slot = typename Block::slot;

  /// The input of a core.
  struct core_block {
    process_range<Block> pairs;
    std::vector<const slot*> samples;
    std::vector<sorting::wide_key> entries;
    std::vector<std::uint32_t> bucket;  // of each entry
    std::vector<std::uint64_t> places;  // by bucket: the number of entries, later the place of the next one
  };
  using all_orders = per_process<process_order>;
  using result_blocks = per_core<Block>;
  using all_core_blocks = per_core<core_block>;

  /// Returns the number of buckets, which are numbered in order.
  std::size_t buckets() const { return ends_.size(); }
  /// Returns the number of pairs before those of a bucket, in all processes.
  std::uint64_t rank(std::size_t bucket) const { return first_rank_ + begin(bucket); }
  /// Sorts the pairs of a bucket, and calls f(slot) for each in order. Any core of the process may call it.
  template <class F>
  void read_bucket(std::size_t bucket, F f) {
    const std::span<sorting::wide_key> mine(entries_.get() + begin(bucket), ends_[bucket] - begin(bucket));
    sort_entries<slot>(mine, splitters_->order());
    // Prefetches several at a time, so that their address translations overlap: a core would wait for each
    // otherwise.
    const auto fetch = [&](std::size_t begin) {
      for (std::size_t i = begin; i < std::min(begin + k_ahead, mine.size()); ++i)
        __builtin_prefetch(&slot_of<slot>(mine[i]));
    };
    fetch(0);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (i % k_ahead == 0) fetch(i + k_ahead);
      f(slot_of<slot>(mine[i]));
    }
  }

  /// Assigns the pairs of all cores to buckets. By the main fiber; suspends.
  static void deal(all_orders orders, result_blocks blocks, all_core_blocks cores_have, Order before) {
    on_all_cores([blocks, cores_have, before] {
      if (processes() > 1) cores_have.here().pairs.divide(blocks.here(), before);
      draw_samples(blocks.here(), cores_have.here());
    });
    on_all_processes([orders, cores_have, before] { orders.here().choose_buckets(cores_have, before); });
    on_all_cores(
        [orders, blocks, cores_have] { orders.here().deal_block(blocks.here(), cores_have.here()); });
    on_all_processes([orders, cores_have] { orders.here().place_blocks(cores_have); });
    on_all_cores([orders, cores_have] { orders.here().scatter(cores_have.here()); });
  }

 private:
  static constexpr std::uint64_t k_bucket_pairs = 8192;
  static constexpr std::uint64_t k_sample_distance = 512;
  static constexpr std::size_t k_ahead = 16;
  static constexpr std::size_t k_searched_at_once = 8;

  std::uint64_t begin(std::size_t bucket) const { return bucket == 0 ? 0 : ends_[bucket - 1]; }

  static void draw_samples(Block& block, core_block& mine) {
    std::uint64_t n = 0;
    mine.pairs.for_each(block, [&](const slot& s) {
      if (n++ % k_sample_distance == 0) mine.samples.push_back(&s);
    });
    mine.places.assign(1, n);
  }

  /// Chooses splitters of buckets from the samples of this process's cores. Called on the first core;
  /// collective over the processes.
  void choose_buckets(all_core_blocks cores_have, const Order& before) {
    std::vector<const slot*> samples;
    std::uint64_t pairs = 0;
    for (unsigned c = 0; c < local::cores(); ++c) {
      core_block& block = cores_have.at(first_core(process()) + c);
      samples.insert(samples.end(), block.samples.begin(), block.samples.end());
      block.samples = {};
      pairs += block.places[0];
    }
    splitters_.emplace(samples, pairs / k_bucket_pairs + 1, before);
    const std::vector<std::uint64_t> of_processes = all_gather_processes(pairs);
    first_rank_ = std::reduce(of_processes.begin(), of_processes.begin() + process());
  }

  /// Makes the entries of a core. Called on that core.
  void deal_block(Block& block, core_block& mine) const {
    machine::require_chunk(mine.places[0] * (sizeof(sorting::wide_key) + sizeof(std::uint32_t)),
                           "sorting results");
    mine.entries.reserve(mine.places[0]);
    mine.bucket.reserve(mine.places[0]);
    mine.places.assign(splitters_->buckets(), 0);
    const auto note = [&](const sorting::wide_key& entry, std::size_t bucket) {
      mine.entries.push_back(entry);
      mine.bucket.push_back(static_cast<std::uint32_t>(bucket));
      ++mine.places[bucket];
    };
    std::array<sorting::wide_key, k_searched_at_once> next;
    std::size_t n = 0;
    mine.pairs.for_each(block, [&](const slot& s) {
      next[n] = entry_of(splitters_->order(), s);
      if (++n < next.size()) return;
      const auto buckets = splitters_->buckets_of(next);
      for (n = 0; n < next.size(); ++n) note(next[n], buckets[n]);
      n = 0;
    });
    for (std::size_t i = 0; i < n; ++i)
      note(next[i], splitters_->bucket_of(slot_of<slot>(next[i]), next[i].high));
  }

  /// Computes the places of the entries of each core in each bucket. Called on the first core.
  void place_blocks(all_core_blocks cores_have) {
    std::uint64_t at = 0;
    for (std::size_t b = 0; b < splitters_->buckets(); ++b) {
      for (unsigned c = 0; c < local::cores(); ++c)
        at += std::exchange(cores_have.at(first_core(process()) + c).places[b], at);
      ends_.push_back(at);
    }
    machine::require_chunk(at * sizeof(sorting::wide_key), "sorting results");
    entries_ = std::make_unique_for_overwrite<sorting::wide_key[]>(at);
  }

  /// Copies the entries of a core to their buckets. Called on that core.
  void scatter(core_block& mine) const {
    for (std::size_t i = 0; i < mine.entries.size(); ++i)
      entries_[mine.places[mine.bucket[i]]++] = mine.entries[i];
    mine.entries = {};
    mine.bucket = {};
  }

  std::optional<slot_splitters<slot, Order>> splitters_;
  std::vector<std::uint64_t> ends_;  // of each bucket
  std::unique_ptr<sorting::wide_key[]> entries_;
  std::uint64_t first_rank_ = 0;
};

}  // namespace gossamer::mapreduce
