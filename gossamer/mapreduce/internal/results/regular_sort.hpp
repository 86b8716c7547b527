#pragma once
// The sort stage of the hybrid engine: parallel sorting by regular sampling over all cores ("hybrid address spaces", section 4.1.5
// and appendix A). Between processes each pair travels once, to the range of its process (process_range.hpp). In a process cores
// read one another's runs in place:
//
//   sort    every core sorts entries of its pairs: a code of the order and the address of the pair (slot_sort.hpp)
//   pivots  every core chooses the same pivots from samples of all runs, or the first core does so for all
//   cut     every core finds where the pivots cut its own run
//   merge   core i merges chunk i of all runs, and copies the pairs to its range
//
// Stages are calls of on_all_cores(), so a barrier ends each of them, and an exception of any core ends the job. Where all cores
// choose pivots they also cut in the same stage: a barrier less.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/results/ordered_range.hpp"
#include "gossamer/mapreduce/internal/results/process_range.hpp"
#include "gossamer/mapreduce/internal/stage_cost.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/merge.hpp"
#include "gossamer/sort/pivots.hpp"
#include "gossamer/sort/regular_sampling.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::mapreduce {

/// The state of one core in the stage. Block: as result_block. Only pairs in memory are included.
template <class Block, class Order>
class regular_sort {
  using entry = sorting::wide_key;

 public:
  using slot = typename Block::slot;
  using less = entry_order<slot, Order>;
  using sampling = sorting::regular_sampling<entry, less>;
  using sample = typename sampling::sample;

  /// Sorts the pairs of all cores into ranges. By one fiber; suspends. Takes 32 bytes per pair, and a copy of
  /// the pair.
  static void run(per_core<Block> blocks, per_core<ordered_range<slot>> ranges, Order before, pivots by) {
    const scoped_per_core<regular_sort> owned;
    const scoped_per_process<std::vector<sample>> owned_choice;
    const per_core<regular_sort> all = owned.handle();
    const per_process<std::vector<sample>> choice = owned_choice.handle();
    on_all_cores([blocks, all, before] { all.here().sort_own(blocks.here(), before); });
    if (by == pivots::one_core)
      on_all_processes([all, choice, before] { choice.here() = choose(all, before); });
    on_all_cores([all, choice, before, one = std::uint64_t{by == pivots::one_core}] {
      all.here().cut(all, before, one != 0 ? choice.here() : choose(all, before));
    });
    on_all_cores([all, ranges, before] { all.here().merge(all, ranges.here(), before); });
  }

 private:
  static constexpr std::size_t k_ahead = 16;

  /// Returns the state of a core of this process.
  static regular_sort& side(per_core<regular_sort> all, unsigned c) {
    return all.at(first_core(process()) + c);
  }
  std::span<const entry> entries() const { return {run_.data(), run_.size()}; }

  void sort_own(Block& block, const Order& before) {
    if (processes() > 1) pairs_.divide(block, before);
    const std::uint64_t n = pairs_.size(block);
    machine::require_chunk(n * sizeof(entry), "sorting results");
    run_ = sorting::sort_buffer<entry>(n);
    entry* next = run_.data();
    pairs_.for_each(block, [&](const slot& s) { *next++ = entry_of(before, s); });
    sort_entries<slot>(run_.span(), before);
    charge_pairs(n, k_copy_pair_ns);
    charge_levels(n, n, k_sort_entry_ps);
  }

  /// Returns the number of pairs of this process.
  static std::uint64_t count(per_core<regular_sort> all) {
    std::uint64_t pairs = 0;
    for (unsigned c = 0; c < local::cores(); ++c) pairs += side(all, c).run_.size();
    return pairs;
  }
  /// Returns the pivots that cut the runs of this process. None: all pairs go to its first core.
  static std::vector<sample> choose(per_core<regular_sort> all, const Order& before) {
    const std::uint64_t pairs = count(all);
    if (local::cores() == 1 || pairs < sorting::k_sort_alone) return {};
    const sampling from(pairs, local::cores(), {before});
    std::vector<sample> samples;
    std::vector<std::size_t> ends;
    std::uint64_t first = 0;
    for (unsigned c = 0; c < local::cores(); ++c) {
      const std::span<const entry> run = side(all, c).entries();
      from.draw(run, first, samples);
      ends.push_back(samples.size());
      first += run.size();
    }
    charge_levels(samples.size(), local::cores() - 1, k_merge_entry_ps);
    return from.choose(std::move(samples), ends);
  }

  /// Finds the chunk of this core's run that goes to each core of the process.
  void cut(per_core<regular_sort> all, const Order& before, const std::vector<sample>& chosen) {
    cuts_.assign(local::cores() + 1, run_.size());
    cuts_[0] = 0;
    if (chosen.empty()) return;
    std::uint64_t first = 0;
    for (unsigned c = 0; c < local::here(); ++c) first += side(all, c).run_.size();
    const sampling from(count(all), local::cores(), {before});
    // Cuts ascend even if the user's order is inconsistent, so chunks stay inside of the run.
    for (unsigned c = 1; c < local::cores(); ++c)
      cuts_[c] = std::max(cuts_[c - 1], from.cut(entries(), first, chosen[c - 1]));
  }

  /// Merges the chunks of this core, and copies their pairs.
  void merge(per_core<regular_sort> all, ordered_range<slot>& to, const Order& before) {
    const unsigned me = local::here();
    std::vector<std::span<const entry>> chunks;
    std::size_t n = 0;
    for (unsigned c = 0; c < local::cores(); ++c) {
      const regular_sort& from = side(all, c);
      chunks.push_back(from.entries().subspan(from.cuts_[me], from.cuts_[me + 1] - from.cuts_[me]));
      n += chunks.back().size();
    }
    machine::require_chunk(n * (2 * sizeof(entry) + sizeof(slot)), "sorting results");
    const sorting::sort_buffer<entry> merged(n);
    sorting::sort_buffer<entry> spare;
    sorting::merge_runs(std::move(chunks), me, merged.data(), less{before}, sorting::stored_as_is(), [&] {
      spare = sorting::sort_buffer<entry>(n);
      return spare.data();
    });
    copy(merged.span(), to.slots);
    to.received = pairs_.take_bytes();  // not moved: other cores read the keys in it
    charge_levels(n, local::cores() - 1, k_merge_entry_ps);
    charge_pairs(n, k_copy_pair_ns);
  }
  /// Copies the pairs of entries. Prefetches several at a time, so that their address translations overlap.
  static void copy(std::span<const entry> from, std::vector<slot>& to) {
    to.clear();
    to.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (i + k_ahead < from.size()) __builtin_prefetch(&slot_of<slot>(from[i + k_ahead]));
      to.push_back(slot_of<slot>(from[i]));
    }
  }

  process_range<Block> pairs_;
  sorting::sort_buffer<entry> run_;
  std::vector<std::uint64_t> cuts_;  // one for each core of the process, and the end
};

}  // namespace gossamer::mapreduce
