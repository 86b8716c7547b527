#pragma once
// Divides the order of all pairs among the processes. Each process gets one range, and a pair travels at most
// once, to the process of its range. The sorts over all cores of a process start from here
// (process_order.hpp, regular_sort.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::mapreduce {

/// The pairs that a core contributes to the range of its process. In a job of one process, all of its own;
/// otherwise some of its own, and those that it received. Block: as result_block. Only pairs in memory are
/// included.
template <class Block>
class process_range {
  using key = typename Block::key_type;

 public:
  using slot = typename Block::slot;

  /// Sends the pairs of this core to the processes of their ranges, and receives those for this one.
  /// Collective.
  template <class Order>
  void divide(Block& block, const Order& before) {
    const auto all = all_reduce(block.size(), std::plus<>());
    const std::uint64_t distance =
        std::max<std::uint64_t>(1, all / (std::uint64_t{cores()} * k_process_samples));
    pair_writer<key, slot> sampled;
    std::uint64_t n = 0;
    block.for_each_slot([&](const slot& s) {
      if (n++ % distance == 0) sampled.add(s);
    });
    std::vector<std::byte> flat;
    sampled.write(flat);
    const by_core<std::byte> texts = all_gather(std::span<const std::byte>(flat));
    std::vector<slot> slots;
    for (core_id c = 0; c < cores(); ++c)
      for_each_flat<key, slot>(texts[c], [&](const slot& s) { slots.push_back(s); });
    std::vector<const slot*> samples;
    for (const slot& s : slots) samples.push_back(&s);
    const slot_splitters<slot, Order> splitters(samples, processes(), before);

    std::vector<pair_writer<key, slot>> leaving(processes());
    block.for_each_slot([&](const slot& s) {
      const std::size_t to = splitters.bucket_of(s, code_of(before, s, 0));
      if (to == process())
        own_.push_back(&s);
      else
        leaving[to].add(s);
    });
    std::vector<std::byte> data;
    std::vector<std::size_t> counts(cores(), 0);
    for (unsigned p = 0; p < processes(); ++p) {
      const std::size_t begin = data.size();
      leaving[p].write(data);
      counts[first_core(p) + local::here()] = data.size() - begin;
      leaving[p] = {};
    }
    bytes_ = all_to_all(std::span<const std::byte>(data), counts);
    for (core_id c = 0; c < cores(); ++c)
      if (!std::as_const(bytes_)[c].empty())
        for_each_flat<key, slot>(std::as_const(bytes_)[c], [&](const slot& s) { received_.push_back(s); });
    is_divided_ = true;
  }

  /// Calls f(slot) for each pair that this core contributes, in place.
  template <class F>
  void for_each(Block& block, F f) const {
    if (!is_divided_) return block.for_each_slot([&](const slot& s) { f(s); });
    for (const slot* s : own_) f(*s);
    for (const slot& s : received_) f(s);
  }
  /// Returns the number of these pairs.
  std::uint64_t size(const Block& block) const {
    return is_divided_ ? own_.size() + received_.size() : block.size();
  }
  /// Returns the memory of the long keys that were received.
  by_core<std::byte> take_bytes() { return std::move(bytes_); }

 private:
  static constexpr std::uint64_t k_process_samples = 256;  // of each core, approximately

  bool is_divided_ = false;
  std::vector<const slot*> own_;
  by_core<std::byte> bytes_;  // holds the long keys that were received
  std::vector<slot> received_;
};

}  // namespace gossamer::mapreduce
