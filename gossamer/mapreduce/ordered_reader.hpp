#pragma once
// Reads one core's part of a result in an order: from its containers, or from sorted runs in scratch files.
// For joins on the core that owns both sides.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gossamer/mapreduce/internal/spilling/stored_pairs.hpp"

namespace gossamer::mapreduce {

/// Reads a core's part of a result, in an order. Takes 8 bytes for each pair in memory; otherwise as much as
/// stored_pairs::sort().
template <class Block, class Order>
class ordered_reader {
 public:
  /// A pair as a container holds it.
  using slot = typename Block::slot;

  /// Positions the reader at the first pair. The block must not change while it is read.
  explicit ordered_reader(Block& block, Order before = {}) : runs_(before) {
    if (block.stored) {
      stored_ = block.stored.get();
      stored_->sort(before);
      stored_->add_runs_to(runs_, codec_);
      runs_.start();
      return;
    }
    slots_.reserve(block.size());
    block.for_each_slot([&](slot& s) { slots_.push_back(&s); });
    std::ranges::sort(slots_, [&](const slot* a, const slot* b) { return before(*a, *b); });
  }
  /// Frees the sorted runs.
  ~ordered_reader() {
    if (stored_ != nullptr) stored_->forget_sorted();
  }
  ordered_reader(const ordered_reader&) = delete;  ///< It owns sorted runs.
  ordered_reader& operator=(const ordered_reader&) = delete;  ///< The same.

  /// Returns whether the reader has passed the last pair.
  bool ended() const { return stored_ != nullptr ? runs_.ended() : at_ == slots_.size(); }
  /// Returns the current pair, which stays valid until next().
  const slot& pair() const { return stored_ != nullptr ? runs_.pair() : *slots_[at_]; }
  /// Advances to the next pair.
  void next() {
    if (stored_ != nullptr)
      runs_.next();
    else
      ++at_;
  }
  /// Returns the current pair in place. It must be in memory.
  slot& in_place() { return *slots_[at_]; }

 private:
  using stored = typename decltype(Block::stored)::element_type;

  stored* stored_ = nullptr;
  io::block_codec codec_;
  block_merger<typename Block::key_type, slot, Order> runs_;
  std::vector<slot*> slots_;
  std::size_t at_ = 0;
};

}  // namespace gossamer::mapreduce
