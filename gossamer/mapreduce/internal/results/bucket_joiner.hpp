#pragma once
// Joins a bucket of a partition from the blocks of all cores, within a core's share of the memory (Grace hash
// join; Kitsuregawa et al., 1983). If the keys of a bucket do not fit, it is divided into buckets of the next
// level, which are joined alike.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"

namespace gossamer::mapreduce {

/// A list of blocks in a file.
struct block_source {
  const machine::scratch_file* file;
  const block_list* blocks;
};

template <class Key, class Value, class Combine, class Hash>
class bucket_joiner {
 public:
  using container = hash_container<Key, Value, Hash>;
  using slot = typename container::slot;

  bucket_joiner(const memory_bound& bound, const Combine& combine, const Hash& hash)
      : bound_(bound), combine_(combine), hash_(hash), pairs_(hash) {}

  /// Combines the pairs of a bucket and calls f(slot&) for each key.
  template <class F>
  void join(std::span<const block_source> sources, F f) {
    join_level(sources, 1, f);
  }
  /// Returns the number of pairs that were divided again because their bucket did not fit.
  std::uint64_t dealt_again() const { return dealt_again_; }

 private:
  /// Joins a bucket. If it does not fit, divides it by the bits of `level`.
  template <class F>
  void join_level(std::span<const block_source> sources, unsigned level, F& f) {
    spill_store deeper;
    bool divided = false;
    const auto divide = [&] {
      if (!divided) deeper = spill_store(bound_.folder, k_buckets);
      divided = true;
      bucket_dealer<Key, slot> dealer(bound_.block_bytes());
      dealer.deal(pairs_, level, deeper, 0, codec_);
    };
    for (const block_source& source : sources)
      for (const pair_block& block : *source.blocks) {
        codec_.read(*source.file, block.place, bytes_);
        add(std::span<const std::byte>(bytes_), [&] {
          const std::uint64_t more = container::slot_bytes_for(pairs_.size() + 1);
          if (level == k_bucket_levels || pairs_.bytes() + more <= bound_.container_bytes()) return;
          if (!pairs_.empty()) divide();
          if (pairs_.is_full()) pairs_.clear();
        });
        if (level < k_bucket_levels && pairs_.long_key_bytes() != 0 &&
            pairs_.bytes() > bound_.container_bytes())
          divide();
      }
    if (!divided) return pairs_.take_each_slot(f);
    divide();
    dealt_again_ += deeper.pairs();
    for (std::size_t bucket = 0; bucket < k_buckets; ++bucket) {
      const block_source source{&deeper.file(), &deeper.list(bucket)};
      join_level(std::span(&source, 1), level + 1, f);
    }
  }

  /// Adds the pairs of a block with prefetched look-ups. Calls make_room() if the container is full.
  template <class MakeRoom>
  void add(std::span<const std::byte> block, MakeRoom make_room) {
    unsigned n = 0;
    const auto flush = [&] {
      for (unsigned i = 0; i < n; ++i) {
        if (pairs_.is_full()) [[unlikely]] {
          make_room();
          pairs_.reserve(pairs_.size() + 1);
        }
        pairs_.add_in_room(waiting_[i].first.key, waiting_[i].second, waiting_[i].first.value, combine_);
      }
      n = 0;
    };
    for_each_flat<Key, slot>(block, [&](const slot& s) {
      const std::uint64_t hash = pairs_.hash_of(s.key);
      pairs_.prefetch(hash);
      waiting_[n] = {s, hash};
      if (++n == k_ahead) flush();
    });
    flush();
  }

  memory_bound bound_;
  Combine combine_;
  Hash hash_;
  container pairs_;
  std::vector<std::byte> bytes_;
  io::block_codec codec_;
  static constexpr unsigned k_ahead = 32;
  std::array<std::pair<slot, std::uint64_t>, k_ahead> waiting_;
  std::uint64_t dealt_again_ = 0;
};

}  // namespace gossamer::mapreduce
