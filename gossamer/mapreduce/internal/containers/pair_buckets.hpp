#pragma once
// Pairs of one partition whose keys are nearly all distinct, appended to lists by hash: the buckets. Each
// bucket is combined separately, in a table that fits the cache and is reused for the next bucket. With many
// keys, a single table of all pairs would miss the caches at each pair. No memory is spent on empty slots.
// One core at a time uses it.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"
#include "gossamer/mapreduce/partition.hpp"

namespace gossamer::mapreduce {

/// Appended pairs may have equal keys until combine_all(). Bucket 0 serves as a sample of the keys: it is
/// combined whenever its size has doubled. The other buckets are combined earlier than in combine_all() only
/// if keys repeat in the sample. So memory is proportional to the distinct keys, not to the pairs.
template <class Key, class Value, class Hash>
class pair_buckets {
 public:
  using traits = key_traits<Key>;
  using stored = typename traits::stored;
  using slot = typename hash_container<Key, Value, Hash>::slot;

  pair_buckets() = default;
  /// Divides pairs among `buckets`, a power of two, the same number in all objects that are joined.
  pair_buckets(std::size_t buckets, const Hash& hash)
      : open_(buckets),
        buckets_(buckets),
        shift_(k_partition_shift - std::bit_width(buckets - 1)),
        hash_(hash) {}

  /// Returns the number of buckets of a partition. It is small enough that the caches hold the open ends of
  /// all buckets of a core.
  static std::size_t buckets_for(std::size_t partitions) {
    return std::clamp(std::bit_floor(k_open_buckets / partitions), k_least_buckets, k_most_buckets);
  }

  /// Returns the number of pairs; equal keys count several times.
  std::size_t size() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) sum += pairs_of(i);
    return sum;
  }
  /// Returns the bytes of memory allocated.
  std::size_t bytes() const {
    std::size_t sum = blocks_.size() * k_block_bytes;
    for (const bucket& s : buckets_)
      for (const text_arena& texts : s.texts) sum += texts.bytes();
    return sum;
  }

  /// Prefetches the place of the next pair with this hash.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(open_[bucket_of(hash)].next, 1);
  }

  /// Appends a pair. A long text is copied. Throws gossamer::error if memory does not suffice.
  template <class Combine>
  void add(const stored& key, std::uint64_t hash, const Value& value, Combine& combine) {
    const std::size_t i = bucket_of(hash);
    open_chunk& to = open_[i];
    if (to.next == to.end) [[unlikely]]
      extend(i, combine);
    slot& s = *to.next++;
    s.key = key;
    if constexpr (traits::k_is_text)
      if (key.is_long()) [[unlikely]]
        s.key.first = reinterpret_cast<std::uintptr_t>(texts_of(buckets_[i]).keep(key.text()).data());
    s.value = value;
  }
  /// Returns whether most new pairs have a key that is already present: a container would take less time and
  /// memory.
  bool repeats() const { return share_new_ < k_least_new; }

  /// Takes over the pairs of another object, without moving them.
  void take(pair_buckets&& other) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      close(i);
      other.close(i);
      bucket &to = buckets_[i], &from = other.buckets_[i];
      move_to_end(to.chunks, from.chunks);
      to.pairs += from.pairs;
      move_to_end(to.texts, from.texts);
    }
    move_to_end(blocks_, other.blocks_);
    move_to_end(spare_, other.spare_);
  }

  /// Combines the values of equal keys. Costs an in-cache look-up for each pair. Frees memory afterwards if
  /// most of it is unused.
  template <class Combine>
  void combine_all(Combine& combine) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      close(i);
      combine_bucket(buckets_[i], combine);
    }
    table_ = {};
    if (spare_.size() * k_chunk_bytes > blocks_.size() * k_block_bytes / 2) move_to_fresh_blocks();
  }

  /// Calls f(slot&) for each pair. f must not change the key.
  template <class F>
  void for_each_slot(F f) const {
    for (std::size_t i = 0; i < buckets_.size(); ++i)
      for (const chunk& c : buckets_[i].chunks) {
        const bool is_open = open_[i].next != nullptr && &c == &buckets_[i].chunks.back();
        slot* const end = is_open ? open_[i].next : c.first + c.used;
        for (slot* s = c.first; s != end; ++s) f(*s);
      }
  }

 private:
  static constexpr std::size_t k_open_buckets = 1024, k_least_buckets = 16, k_most_buckets = 256;
  static constexpr std::size_t k_block_bytes = std::size_t{2} << 20;
  static constexpr std::size_t k_chunk_slots =
      std::max<std::size_t>(16, std::bit_floor((std::size_t{8} << 10) / sizeof(slot)));
  static constexpr std::size_t k_chunk_bytes = k_chunk_slots * sizeof(slot);
  static_assert(k_chunk_bytes <= k_block_bytes);
  static constexpr std::size_t k_first_limit = 1024;
  static constexpr std::size_t k_uneven = 2;
  static constexpr double k_nearly_all_new = 0.9, k_least_new = 0.1;

  struct open_chunk {
    slot *next = nullptr, *end = nullptr;
  };
  struct chunk {
    slot* first;
    std::size_t used;  // less than the pairs it has while it is open
  };
  struct bucket {
    std::vector<chunk> chunks;
    std::vector<text_arena> texts;  // long keys; new ones are appended to the last arena
    std::size_t pairs = 0;  // without those of the open chunk
    std::size_t combined = 0;  // pairs left by the last combining
    std::size_t limit = k_first_limit;
  };

  std::size_t bucket_of(std::uint64_t hash) const { return (hash >> shift_) & (buckets_.size() - 1); }
  std::size_t pairs_of(std::size_t i) const {
    return buckets_[i].pairs + (open_[i].next == nullptr ? 0 : open_count(i));
  }
  std::size_t open_count(std::size_t i) const {
    return static_cast<std::size_t>(open_[i].next - buckets_[i].chunks.back().first);
  }

  /// Closes the chunk to which pairs of a bucket are appended.
  void close(std::size_t i) {
    if (open_[i].next == nullptr) return;
    buckets_[i].chunks.back().used = open_count(i);
    buckets_[i].pairs += buckets_[i].chunks.back().used;
    open_[i] = {};
  }
  /// Opens another chunk for pairs of a bucket. Combines the bucket if it has reached its limit.
  template <class Combine>
  [[gnu::noinline]] void extend(std::size_t i, Combine& combine) {
    close(i);
    bucket& s = buckets_[i];
    if (s.pairs >= s.limit) raise_limit(i, combine);
    if (s.chunks.empty() || s.chunks.back().used == k_chunk_slots) s.chunks.push_back({new_chunk(), 0});
    chunk& last = s.chunks.back();
    s.pairs -= last.used;
    open_[i] = {last.first + last.used, last.first + k_chunk_slots};
  }
  /// Doubles the limit of a bucket. Combines its pairs first if some keys may be equal: according to the
  /// sample, bucket 0, or because the bucket has more pairs than others.
  template <class Combine>
  void raise_limit(std::size_t i, Combine& combine) {
    bucket& s = buckets_[i];
    if (i != 0 && share_new_ >= k_nearly_all_new && s.pairs <= k_uneven * pairs_of(0)) {
      s.limit = 2 * s.pairs;
      return;
    }
    const std::size_t before = s.combined;
    const std::size_t added = s.pairs - before;  // not 0: the limit exceeds what the last combining left
    combine_bucket(s, combine);
    if (i == 0) share_new_ = static_cast<double>(s.pairs - before) / static_cast<double>(added);
  }

  /// Combines the pairs of a closed bucket. Compacts the rest once one in eight is gone.
  template <class Combine>
  void combine_bucket(bucket& s, Combine& combine) {
    std::vector<chunk>& chunks = s.chunks;
    const auto at = [&](std::size_t number) -> slot& {
      return chunks[number / k_chunk_slots].first[number % k_chunk_slots];
    };
    const std::size_t mask = std::bit_ceil(s.pairs + s.pairs / 4 + 1) - 1;
    if (mask >= table_.capacity()) machine::require_chunk((mask + 1) * sizeof table_[0], "combining pairs");
    table_.assign(mask + 1, 0);
    std::size_t seen = 0, kept = 0, next = 0;  // next: index of the place where the next kept pair goes
    std::size_t text_bytes = 0;  // of the keys that are kept
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      const std::size_t used = std::exchange(chunks[c].used, 0);
      if (seen - kept <= seen / 8) next = c * k_chunk_slots;
      for (std::size_t k = 0; k < used; ++k) {
        slot& from = chunks[c].first[k];
        const std::uint64_t hash = traits::hash(hash_, from.key), tag = tag_of(hash);
        std::size_t e = hash & mask;
        for (; table_[e] != 0; e = (e + 1) & mask)
          if ((table_[e] & k_tag_mask) == tag && at((table_[e] & ~k_tag_mask) - 1).key == from.key) break;
        if (table_[e] != 0) {
          combine_into(at((table_[e] & ~k_tag_mask) - 1).value, from.value, combine);
          continue;
        }
        slot& to = at(next);
        if (&to != &from) to = from;
        ++chunks[next / k_chunk_slots].used;
        table_[e] = tag | ++next;
        ++kept;
        if constexpr (traits::k_is_text) text_bytes += to.key.is_long() ? to.key.size() : 0;
      }
      seen += used;
    }
    std::erase_if(chunks, [&](const chunk& c) {
      if (c.used == 0) spare_.push_back(c.first);
      return c.used == 0;
    });
    s.pairs = s.combined = kept;
    s.limit = std::max(k_first_limit, 2 * kept);
    if constexpr (traits::k_is_text) drop_texts(s, text_bytes);
  }
  /// Copies the kept long keys of a closed bucket, `bytes` bytes, if they are less than half of all stored
  /// ones.
  void drop_texts(bucket& s, std::size_t bytes) {
    std::size_t all = 0;
    for (const text_arena& texts : s.texts) all += texts.used();
    if (bytes >= all / 2) return;
    text_arena fewer;
    for (const chunk& c : s.chunks)
      for (slot* at = c.first; at != c.first + c.used; ++at)
        if (at->key.is_long())
          at->key.first = reinterpret_cast<std::uintptr_t>(fewer.keep(at->key.text()).data());
    s.texts.clear();
    s.texts.push_back(std::move(fewer));
  }
  static text_arena& texts_of(bucket& s) {
    if (s.texts.empty()) s.texts.emplace_back();
    return s.texts.back();
  }

  /// Copies all pairs of closed buckets to new blocks, and frees the old ones.
  void move_to_fresh_blocks() {
    const std::vector<machine::memory_region> before = std::exchange(blocks_, {});
    spare_ = {};
    unused_ = {};
    for (bucket& s : buckets_)
      for (chunk& c : s.chunks) {
        slot* const to = new_chunk();
        std::copy_n(c.first, c.used, to);
        c.first = to;
      }
  }
  template <class T>
  static void move_to_end(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
  }

  // An entry of the table: bits of the hash above the index of a pair, plus 1; 0: none.
  static constexpr unsigned k_tag_shift = 40;
  static constexpr std::uint64_t k_tag_mask = ~std::uint64_t{0} << k_tag_shift;
  static std::uint64_t tag_of(std::uint64_t hash) { return (hash >> 14) << k_tag_shift; }

  slot* new_chunk() {
    if (!spare_.empty()) {
      slot* const first = spare_.back();
      spare_.pop_back();
      return first;
    }
    if (unused_.size() < k_chunk_bytes) {
      machine::require_chunk(k_block_bytes, "emitted pairs");
      // Regular pages: lists are read and written sequentially, so huge pages do not speed them up (ADR
      // 0021).
      blocks_.emplace_back(k_block_bytes, "emitted pairs");
      blocks_.back().populate(0, k_block_bytes);
      unused_ = blocks_.back().bytes();
    }
    std::byte* const first = unused_.data();
    unused_ = unused_.subspan(k_chunk_bytes);
    return reinterpret_cast<slot*>(first);
  }

  std::vector<open_chunk> open_;  // by bucket; null where no chunk is open
  std::vector<bucket> buckets_;
  unsigned shift_ = 0;
  double share_new_ = 1;  // among the pairs the sample got between its last two combinings
  std::vector<machine::memory_region> blocks_;
  std::span<std::byte> unused_;  // of the newest block
  std::vector<slot*> spare_;
  std::vector<std::uint64_t> table_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
