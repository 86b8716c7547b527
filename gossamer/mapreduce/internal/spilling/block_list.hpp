#pragma once
// The places of the blocks of a list. A core that spills often has a list for each bucket of each partition,
// and each spill appends a short block to each of them. So places are stored as differences, in about 15
// bytes instead of 40.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "gossamer/io/scratch_blocks.hpp"

namespace gossamer::mapreduce {

/// A block of pairs in the format of pair_writer.
struct pair_block {
  io::block_place place;
  std::uint64_t pairs = 0;
};

/// The places of blocks, in the order in which they were added. One core at a time adds; cores read complete
/// lists.
class block_list {
 public:
  /// A place in the list. It stays valid when blocks are added.
  struct position {
    std::size_t byte = 0;
    std::uint64_t behind = 0;  // offset in the file: the end of the previous block
  };

  bool empty() const { return bytes_.empty(); }
  void push_back(const pair_block& b) {
    put(b.place.at - behind_);
    put(b.place.stored);
    put(b.place.raw);
    put(b.pairs);
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<std::uint8_t>(b.place.sum >> shift));
    behind_ = b.place.at + b.place.stored;
  }

  /// Returns whether a block follows a position.
  bool has_more(const position& at) const { return at.byte < bytes_.size(); }
  /// Returns the block at a position, which must exist, and advances the position past it.
  pair_block read(position& at) const {
    pair_block b;
    b.place.at = at.behind + take(at);
    b.place.stored = take(at);
    b.place.raw = take(at);
    b.pairs = take(at);
    for (unsigned shift = 0; shift < 64; shift += 8) b.place.sum |= std::uint64_t{bytes_[at.byte++]} << shift;
    at.behind = b.place.at + b.place.stored;
    return b;
  }

  /// An iterator over the blocks, for range-based `for`.
  class walker {
   public:
    explicit walker(const block_list& all) : all_(&all) { fetch(); }
    const pair_block& operator*() const { return block_; }
    walker& operator++() {
      fetch();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return ended_; }

   private:
    void fetch() {
      ended_ = !all_->has_more(at_);
      if (!ended_) block_ = all_->read(at_);
    }

    const block_list* all_;
    position at_;
    pair_block block_;
    bool ended_ = false;
  };
  walker begin() const { return walker(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  static constexpr unsigned k_bits = 7;  // of a number in a byte; the eighth bit says that more bytes follow

  void put(std::uint64_t x) {
    for (; x >> k_bits != 0; x >>= k_bits)
      bytes_.push_back(static_cast<std::uint8_t>(x) | static_cast<std::uint8_t>(1U << k_bits));
    bytes_.push_back(static_cast<std::uint8_t>(x));
  }
  std::uint64_t take(position& at) const {
    std::uint64_t x = 0;
    for (unsigned shift = 0;; shift += k_bits) {
      const std::uint8_t byte = bytes_[at.byte++];
      x |= std::uint64_t{byte & ((1U << k_bits) - 1)} << shift;
      if (byte >> k_bits == 0) return x;
    }
  }

  std::vector<std::uint8_t> bytes_;
  std::uint64_t behind_ = 0;
};

}  // namespace gossamer::mapreduce
