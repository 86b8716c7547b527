#pragma once
// Merges the sorted pairs of all cores on one core, in place or along a tree of messages.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/exchange/message_exchange.hpp"
#include "gossamer/mapreduce/internal/stage_cost.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::mapreduce {

/// Sorts the pairs of each core on that core, by comparison.
template <class Block, class Order>
void sort_on_each_core(per_core<Block> blocks, Order before) {
  on_all_cores([before, all = blocks] {
    Block& mine = all.here();
    mine.sorted.clear();
    mine.sorted.reserve(mine.size());
    mine.for_each_slot([&](const auto& s) { mine.sorted.push_back(s); });
    if (std::ranges::is_sorted(mine.sorted, before)) return;
    charge_sort(mine.sorted.size());
    sort_slots(mine.sorted, before);
  });
}

/// Frees the sorted pairs of all cores.
template <class Block>
void forget_sorted(per_core<Block> blocks) {
  on_all_cores([all = blocks] {
    all.here().sorted = {};
    all.here().sorted_texts = {};
    all.here().flat = {};
    all.here().tree.clear();
  });
}

/// Receives the next pair of a merge. Returns false to stop the merge.
template <class Block>
using pair_taker = function_ref<bool(const typename Block::slot&)>;

/// Merges the sorted pairs of all cores, until f(slot) returns false.
template <class Block, class Order>
void merge_sorted(per_core<Block> blocks, Order before, pair_taker<Block> f) {
  using key = typename Block::key_type;
  using slot = typename Block::slot;
  std::vector<std::vector<std::byte>> bytes;
  if (processes() > 1) {
    on_all_cores([all = blocks] {
      Block& mine = all.here();
      pair_writer<key, slot> pairs;
      for (const slot& s : mine.sorted) pairs.add(s);
      mine.flat.clear();
      pairs.write(mine.flat);
    });
    bytes = collect_spans<std::byte>(blocks, [](Block& p) { return std::span<const std::byte>(p.flat); });
  }
  std::vector<std::vector<slot>> remote;  // copies of other processes' blocks
  struct run {
    const slot *at, *end;
  };
  std::vector<run> runs;
  remote.reserve(cores());
  const auto add = [&](const std::vector<slot>& slots) {
    if (!slots.empty()) runs.push_back({slots.data(), slots.data() + slots.size()});
  };
  for (core_id c = 0; c < cores(); ++c) {
    if (c - first_core(process()) < cores_per_process()) {
      add(blocks.at(c).sorted);
      continue;
    }
    std::vector<slot>& here = remote.emplace_back();
    for_each_flat<key, slot>(std::span<const std::byte>(bytes[c]), [&](const slot& s) { here.push_back(s); });
    add(here);
  }
  const auto later = [&](const run& a, const run& b) { return before(*b.at, *a.at); };
  std::ranges::make_heap(runs, later);
  const std::size_t ways = runs.size() - (runs.empty() ? 0 : 1);
  std::uint64_t merged = 0;
  while (!runs.empty()) {
    std::ranges::pop_heap(runs, later);
    run& next = runs.back();
    if (!f(*next.at)) break;
    ++merged;
    if (++next.at == next.end)
      runs.pop_back();
    else
      std::ranges::push_heap(runs, later);
  }
  charge_levels(merged, ways, k_merge_pair_ps);
  forget_sorted(blocks);
}

/// Merges the sorted pairs of all cores along a binomial tree whose root is this core, over two-sided
/// messages alone. This core holds all pairs afterwards, until forget_sorted().
template <class Block, class Order>
void merge_by_messages(per_core<Block> blocks, Order before) {
  using key = typename Block::key_type;
  using slot = typename Block::slot;
  const message_tag tag = message_tag_of(blocks.address(0));
  on_all_cores([all = blocks, tag, root = here()] {
    Block& mine = all.here();
    std::uint64_t bytes = flat_bytes<key, slot>(mine.sorted.size());
    if constexpr (Block::traits::k_is_text)
      for (const slot& s : mine.sorted) bytes += s.key.is_long() ? s.key.size() : 0;
    mine.tree.exchange_sizes(tag, root, bytes, flat_bytes<key, slot>(0));
  });
  on_all_cores([all = blocks, tag, before] {
    Block& mine = all.here();
    mine.tree.exchange_data(
        tag,
        [&](std::span<const std::byte> bytes) {
          std::vector<slot> theirs, both;
          for_each_flat<key, slot>(bytes, [&](const slot& s) { theirs.push_back(s); });
          both.reserve(mine.sorted.size() + theirs.size());
          std::ranges::merge(mine.sorted, theirs, std::back_inserter(both), before);
          charge_levels(both.size(), 1, k_merge_pair_ps);
          mine.sorted = std::move(both);
        },
        [&] {
          pair_writer<key, slot> pairs;
          for (const slot& s : mine.sorted) pairs.add(s);
          mine.sorted = {};
          std::vector<std::byte> bytes;
          pairs.write(bytes);
          return bytes;
        });
  });
}

}  // namespace gossamer::mapreduce
