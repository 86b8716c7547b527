#pragma once
// Reads what one core has of a result in an order: from its containers, or from sorted runs in scratch files. For joins on the core that
// has both sides.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gossamer/mapreduce/internal/spilling/stored_pairs.hpp"

namespace gossamer::mapreduce {

/// Reads what a core has of a result, in an order. Takes 8 bytes for each pair in memory; else as much as stored_pairs::sort().
template <class Block, class Order>
class ordered_reader {
 public:
  /// A pair as a container holds it.
  using slot = typename Block::slot;

  /// Stands at the first pair. The block stays while it is read.
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
  ordered_reader(const ordered_reader&) = delete;  ///< It stands for sorted runs.
  ordered_reader& operator=(const ordered_reader&) = delete;  ///< The same.

  /// Returns whether there is no further pair.
  bool ended() const { return stored_ != nullptr ? runs_.ended() : at_ == slots_.size(); }
  /// Returns the pair, which stays until next().
  const slot& pair() const { return stored_ != nullptr ? runs_.pair() : *slots_[at_]; }
  /// Goes to the next pair.
  void next() {
    if (stored_ != nullptr)
      runs_.next();
    else
      ++at_;
  }
  /// Returns the pair where it lies, which is in memory.
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
