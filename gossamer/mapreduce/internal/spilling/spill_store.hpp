#pragma once
// Blocks of pairs in the scratch file of one core, by list. A list holds a part of the hash space: each
// partition has k_buckets lists (partition.hpp). Its core appends. The other cores of the process read after
// the stage of that core has ended.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/io/scratch_blocks.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/spilling/block_list.hpp"
#include "gossamer/mapreduce/partition.hpp"

namespace gossamer::mapreduce {

/// A core's share of the memory, and where the rest goes. A share of 0 means no limit.
struct memory_bound {
  std::uint64_t share = 0;
  std::string folder = {};
  std::string resume = {};  // prefix of names of files of a resumable job; empty: not resumable
  std::uint64_t job = 0;  // checksum of the job's description

  /// Returns the bytes of a block before compression. One block for each bucket takes at most a sixteenth of
  /// the share.
  std::size_t block_bytes() const;
  /// Returns the bytes that containers may take.
  std::uint64_t container_bytes() const { return share - share / 8; }
};

/// Returns a core's part of one of `shares` equal shares of the memory. Throws gossamer::error if it is less
/// than a container for each core needs.
memory_bound bound_of(std::uint64_t memory_bytes, std::uint64_t shares, const std::string& scratch,
                      std::size_t slot_bytes);

/// Owns the file and knows the places of all blocks.
class spill_store {
 public:
  spill_store() = default;
  spill_store(const std::string& folder, std::size_t lists)
      : file_(machine::scratch_file::in(folder)), lists_(lists) {}

  spill_store(machine::scratch_file file, std::size_t lists) : file_(std::move(file)), lists_(lists) {}

  bool empty() const { return pairs_ == 0; }
  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t stored_bytes() const { return file_.bytes(); }
  const machine::scratch_file& file() const { return file_; }
  const block_list& list(std::size_t number) const { return lists_[number]; }

  /// Compresses a block of pairs and appends it to a list.
  void add(std::size_t list, std::span<const std::byte> raw, std::uint64_t pairs, io::block_codec& codec) {
    lists_[list].push_back({codec.write(file_, raw), pairs});
    pairs_ += pairs;
  }
  /// Appends a block as it is stored by another store.
  void add_stored(std::size_t list, pair_block block, std::span<const std::byte> stored) {
    block.place.at = file_.append(stored);
    lists_[list].push_back(block);
    pairs_ += block.pairs;
  }
  /// Adds a block that is already in the file.
  void adopt(std::size_t list, const pair_block& block) {
    lists_[list].push_back(block);
    pairs_ += block.pairs;
  }
  /// Calls f(list, block) for the blocks added since the last call.
  template <class F>
  void for_each_new(F f) {
    seen_.resize(lists_.size());
    for (std::size_t l = 0; l < lists_.size(); ++l)
      while (lists_[l].has_more(seen_[l])) f(l, lists_[l].read(seen_[l]));
  }
  /// Returns when all blocks are on the disk.
  void sync() { file_.sync(); }
  /// Removes all blocks of a list. Their space in the file stays allocated until the store is destroyed.
  void forget(std::size_t list) { lists_[list] = {}; }

 private:
  machine::scratch_file file_;
  std::vector<block_list> lists_;
  std::vector<block_list::position> seen_;  // by list
  std::uint64_t pairs_ = 0;
};

/// Divides the pairs of a container among the buckets of a level.
template <class Key, class Slot>
class bucket_dealer {
 public:
  explicit bucket_dealer(std::size_t block_bytes) : block_bytes_(block_bytes), open_(k_buckets) {}

  /// Removes the pairs of a container and appends them to k_buckets lists of a store, from `first_list` on.
  template <class Container>
  void deal(Container& pairs, unsigned level, spill_store& to, std::size_t first_list,
            io::block_codec& codec) {
    pairs.take_each_slot([&](const Slot& s) {
      const std::size_t bucket = bucket_of(pairs.hash_of(s.key), level);
      pair_writer<Key, Slot>& block = open_[bucket];
      block.add(s);
      if (block.bytes() >= block_bytes_) [[unlikely]]
        flush(block, to, first_list + bucket, codec);
    });
    for (std::size_t bucket = 0; bucket < k_buckets; ++bucket)
      if (open_[bucket].pairs() != 0) flush(open_[bucket], to, first_list + bucket, codec);
  }

 private:
  void flush(pair_writer<Key, Slot>& block, spill_store& to, std::size_t list, io::block_codec& codec) {
    flat_.clear();
    block.write(flat_);
    to.add(list, flat_, block.pairs(), codec);
    block.clear();
  }

  std::size_t block_bytes_;
  std::vector<pair_writer<Key, Slot>> open_;
  std::vector<std::byte> flat_;
};

}  // namespace gossamer::mapreduce
