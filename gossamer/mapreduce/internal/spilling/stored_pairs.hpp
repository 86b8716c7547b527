#pragma once
// One core's part of a result that did not fit the memory: blocks of pairs in a scratch file. Read in the
// order in which they were added, or sorted by an external merge sort within the core's share of the memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"

namespace gossamer::mapreduce {

/// Reads the pairs of a list of blocks in sequence.
template <class Key, class Slot>
class block_cursor {
 public:
  /// Positions the cursor before the first pair. All three arguments must outlive it.
  block_cursor(const machine::scratch_file& from, io::block_codec& codec, const block_list& blocks)
      : from_(&from), codec_(&codec), blocks_(&blocks) {}

  /// Advances to the next pair. Returns false at the end.
  bool next() {
    if (++at_ >= slots_.size() && !fetch()) return false;
    return true;
  }
  /// Returns the current pair. It stays valid until the cursor leaves its block.
  const Slot& pair() const { return slots_[at_]; }

 private:
  bool fetch() {
    if (!blocks_->has_more(block_)) return false;
    codec_->read(*from_, blocks_->read(block_).place, bytes_);
    slots_.clear();
    for_each_flat<Key, Slot>(std::span<const std::byte>(bytes_), [&](const Slot& s) { slots_.push_back(s); });
    at_ = 0;
    return true;
  }

  const machine::scratch_file* from_;
  io::block_codec* codec_;
  const block_list* blocks_;
  block_list::position block_;
  std::size_t at_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<Slot> slots_;
};

/// Merges sorted lists of blocks of any number of stores.
template <class Key, class Slot, class Order>
class block_merger {
 public:
  explicit block_merger(Order before) : before_(before) {}

  void add(const machine::scratch_file& from, io::block_codec& codec, const block_list& blocks) {
    cursors_.emplace_back(from, codec, blocks);
  }
  /// Advances to the first pair. Call it after all lists were added.
  void start() {
    for (auto& c : cursors_)
      if (c.next()) heap_.push_back(&c);
    std::ranges::make_heap(heap_, later());
  }
  bool ended() const { return heap_.empty(); }
  /// Returns the next pair of the order. It stays valid until next().
  const Slot& pair() const { return heap_.front()->pair(); }
  void next() {
    std::ranges::pop_heap(heap_, later());
    if (heap_.back()->next())
      std::ranges::push_heap(heap_, later());
    else
      heap_.pop_back();
  }

 private:
  using cursor = block_cursor<Key, Slot>;
  auto later() const {
    return [this](const cursor* a, const cursor* b) { return before_(b->pair(), a->pair()); };
  }

  Order before_;
  std::vector<cursor> cursors_;
  std::vector<cursor*> heap_;
};

/// Owns the pairs. One core at a time writes; other cores of the process read what is finished.
template <class Key, class Slot>
class stored_pairs {
  using traits = key_traits<Key>;

 public:
  explicit stored_pairs(const memory_bound& bound)
      : stored_pairs(bound, machine::scratch_file::in(bound.folder)) {}
  /// Takes a file for the pairs.
  stored_pairs(const memory_bound& bound, machine::scratch_file file)
      : bound_(bound), store_(std::move(file), 1) {}

  const memory_bound& bound() const { return bound_; }
  std::uint64_t size() const { return pairs_; }
  std::uint64_t stored_bytes() const { return store_.stored_bytes(); }

  void add(const Slot& s) {
    open_.add(s);
    ++pairs_;
    if (open_.bytes() >= bound_.block_bytes()) [[unlikely]]
      flush(store_, 0);
  }
  /// Writes the rest, as the last block.
  void finish() { flush(store_, 0); }
  /// Adds a block that is already in the file.
  void adopt(const pair_block& block) {
    store_.adopt(0, block);
    pairs_ += block.pairs;
  }
  /// Returns the blocks.
  spill_store& store() { return store_; }

  /// Calls f(slot&) for each pair. The pair stays valid until f returns.
  template <class F>
  void for_each_slot(F f) {
    std::vector<std::byte> bytes;
    for (const pair_block& b : store_.list(0)) {
      codec_.read(store_.file(), b.place, bytes);
      for_each_flat<Key, Slot>(std::span<const std::byte>(bytes), f);
    }
  }

  /// Sorts the pairs into at most k_most_runs runs in another scratch file. Takes no more memory than the
  /// core's share.
  template <class Order>
  void sort(Order before) {
    sorted_ = spill_store(bound_.folder, 1);
    runs_.clear();
    std::vector<Slot> slots;
    text_arena texts;
    const std::size_t most = std::max<std::size_t>(64, bound_.container_bytes() / 2 / sizeof(Slot));
    slots.reserve(std::min<std::size_t>(most, pairs_));
    const auto write = [&] {
      sort_slots(slots, before);
      for (const Slot& s : slots) append(s);
      end_run();
      slots.clear();
      texts = text_arena();
    };
    for_each_slot([&](const Slot& s) {
      slots.push_back(s);
      if constexpr (traits::k_is_text)
        if (s.key.is_long()) {
          slots.back().key.first = reinterpret_cast<std::uintptr_t>(texts.keep(s.key.text()).data());
        }
      if (slots.size() == most || texts.bytes() > bound_.container_bytes() / 2) write();
    });
    if (!slots.empty()) write();
    while (runs_.size() > k_most_runs) merge_first_runs(before);
  }
  /// Adds the sorted runs to a merger.
  template <class Order>
  void add_runs_to(block_merger<Key, Slot, Order>& merger, io::block_codec& codec) const {
    for (const auto& run : runs_) merger.add(sorted_.file(), codec, run);
  }
  void forget_sorted() {
    runs_.clear();
    sorted_ = {};
  }

  io::block_codec& codec() { return codec_; }

 private:
  static constexpr std::size_t k_most_runs = 32;

  void flush(spill_store& to, std::size_t list) {
    if (open_.pairs() == 0) return;
    flat_.clear();
    open_.write(flat_);
    to.add(list, flat_, open_.pairs(), codec_);
    open_.clear();
  }
  void append(const Slot& s) {
    open_.add(s);
    if (open_.bytes() >= bound_.block_bytes()) flush(sorted_, 0);
  }
  void end_run() {
    flush(sorted_, 0);
    runs_.push_back(sorted_.list(0));
    sorted_.forget(0);
  }
  template <class Order>
  void merge_first_runs(Order before) {
    const std::vector<block_list> first(runs_.begin(), runs_.begin() + k_most_runs);
    runs_.erase(runs_.begin(), runs_.begin() + k_most_runs);
    io::block_codec reading;
    block_merger<Key, Slot, Order> merger(before);
    for (const auto& run : first) merger.add(sorted_.file(), reading, run);
    for (merger.start(); !merger.ended(); merger.next()) append(merger.pair());
    end_run();
  }

  memory_bound bound_;
  spill_store store_, sorted_;
  std::vector<block_list> runs_;
  pair_writer<Key, Slot> open_;
  std::vector<std::byte> flat_;
  io::block_codec codec_;
  std::uint64_t pairs_ = 0;
};

}  // namespace gossamer::mapreduce
