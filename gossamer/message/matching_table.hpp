#pragma once
// The matching table: a message and a receive match under a key (source, tag). The first to arrive is stored,
// and the second removes it. Under equal keys the oldest is matched first.
//
// A bucket is one cache line: a word and up to three keys with the values stored under them. All values under
// one key are of one kind, because two kinds would have matched. So the first entry of a key decides. A
// second value under a key moves both to a queue of pooled lines. A fourth key of a bucket goes to a pooled
// line that continues the bucket. So an operation touches one line, and never walks past equal keys.
//
//   word of a bucket:   used x3 | kind x3 | queued x3 | number of the line that continues it
//   taken:  all ones. The thread that takes it keeps the previous word and stores the new one: lock and state in one.
//
//   field               writes, reads            protected by
//   bucket, its lines   any core                 the bucket's word: exchange (acquire) / store (release)
//   free lines          any core, bucket taken   spare_: exchange (acquire) / store (release), innermost

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::message {

struct match_key {
  std::uint64_t tag;
  std::uint32_t source;
  friend bool operator==(const match_key&, const match_key&) = default;
};

/// A key and its hash, which is the same for tables of all sizes. For callers that look a key up in several
/// steps.
struct hashed_key {
  match_key key;
  std::uint64_t run;

  hashed_key() = default;  // leaves both undefined: an array of them costs nothing
  explicit hashed_key(const match_key& k) : key(k), run(run_of(k)) {}

 private:
  // Tags are often consecutive. Two neighbours share a bucket, and 64 pairs lie side by side, where the
  // processor prefetches: a run. Multiples of the golden ratio spread runs evenly, and the numbers of sources
  // likewise (Fibonacci hashing; Knuth, The Art of Computer Programming 3, 6.4). The upper bits of a tag move
  // a run to a random place.
  static std::uint64_t run_of(const match_key& k) {
    constexpr std::uint64_t k_golden = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
    constexpr std::uint64_t k_plastic = 0x91e10da5c79e7b1dU;  // 2^64 over the square of the plastic number
    constexpr unsigned k_run_shift = 7, k_offset_shift = 21;
    __extension__ using wide = unsigned __int128;
    const wide product = wide{(k.tag >> k_offset_shift) ^ k_golden} * std::uint64_t{0xd6e8feb86659fd93U};
    const auto offset = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return offset + (k.tag >> k_run_shift) * k_golden + k.source * k_plastic;
  }
};

enum class match_kind : std::uint8_t { send, receive };

struct match_result {
  enum class status : std::uint8_t {
    stored,  // no partner was there: the value waits for one of the other kind
    matched,  // `value` was stored, and has been removed
    full  // no space to store it: nothing has changed
  };
  status what = status::stored;
  void* value = nullptr;
  friend bool operator==(const match_result&, const match_result&) = default;
};

enum class sharing : std::uint8_t {
  shared,  // by any threads
  local  // by one thread at a time: without atomic operations
};

/// Never grows, and never fails within its capacity. Beyond it, it may store more or return `full`.
template <sharing Sharing>
class basic_matching_table {
 public:
  /// Reserves space for `capacity` values with any keys (at most 4 million). Touches no memory yet: ~192
  /// bytes of address space each, up to two of them to a bucket.
  explicit basic_matching_table(std::size_t capacity);
  basic_matching_table(const basic_matching_table&) = delete;
  basic_matching_table& operator=(const basic_matching_table&) = delete;

  /// Takes the oldest value of the other kind under `key`, or stores `value`. One line of memory.
  match_result match(const match_key& key, match_kind kind, void* value) {
    return match(hashed_key(key), kind, value);
  }
  match_result match(const hashed_key& k, match_kind kind, void* value) {
    return match_in(at(k), k.key, kind, value);
  }

  /// Matches many keys like match() above: results[i] is that of keys[i] and values[i], in this order.
  /// Prefetches buckets k_ahead keys early, so that misses overlap.
  void match(std::span<const match_key> keys, match_kind kind, std::span<void* const> values,
             std::span<match_result> results) {
    GOSSAMER_ASSERT(keys.size() == values.size() && keys.size() == results.size());
    const std::size_t n = keys.size();
    std::array<bucket*, k_ahead> coming;
    const auto fetch = [&](std::size_t i) {
      coming[i % k_ahead] = &at(keys[i]);
      __builtin_prefetch(coming[i % k_ahead], 1);
    };
    for (std::size_t i = 0; i < n && i < k_ahead; ++i) fetch(i);
    for (std::size_t i = 0; i < n; ++i) {
      bucket& b = *coming[i % k_ahead];
      if (i + k_ahead < n) fetch(i + k_ahead);
      results[i] = match_in(b, keys[i], kind, values[i]);
    }
  }

  void prefetch(const hashed_key& k) const { __builtin_prefetch(&at(k), 1); }

  /// Returns the value of this kind that match() by the other kind would take, for a prefetch. Returns null
  /// if there is none, or if match() would read more than one line.
  void* peek(const hashed_key& k, match_kind kind) const
    requires(Sharing == sharing::local)
  {
    const bucket& b = at(k);
    const std::uint32_t i = find(b, b.word, k.key);
    const bool single = i < k_ways && ((b.word >> (k_queued_shift + i)) & 1) == 0;
    return single && kind_of(b.word, i) == kind ? b.value[i] : nullptr;
  }

  /// Removes one stored value. Returns false if it is not there (any more).
  bool remove(const match_key& key, match_kind kind, void* value);

  /// Calls f(key, kind, value) for every stored value; oldest first under equal keys. f must not change the
  /// table.
  void visit(function_ref<void(const match_key&, match_kind, void*)> f);

  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::uint32_t k_ways = 3;
  static constexpr std::uint32_t k_kind_shift = 3, k_queued_shift = 6, k_next_shift = 9;
  static constexpr std::uint32_t k_used = 7;
  static constexpr std::uint32_t k_entry_bits = 1 | 1 << k_kind_shift | 1 << k_queued_shift;
  static constexpr std::uint32_t k_taken = ~std::uint32_t{0};
  static constexpr std::size_t k_ahead = 8;

  // Plain numbers, so that zeroed memory is an empty table; the word of a bucket is accessed by atomic_ref.
  struct alignas(k_line_bytes) bucket {
    std::uint32_t word;
    std::uint32_t source[k_ways];
    std::uint64_t tag[k_ways];
    void* value[k_ways];  // queued: queue_ends
  };
  static constexpr std::uint16_t k_line_values = 7;
  struct alignas(k_line_bytes) queue_line {
    std::uint32_t next;
    std::uint16_t begin, end;
    void* value[k_line_values];
  };
  /// Numbers of the first and last line of a queue, stored in the place of a value.
  struct queue_ends {
    std::uint32_t first, last;
  };
  static queue_ends ends_of(const void* value) { return std::bit_cast<queue_ends>(value); }
  static void* as_value(queue_ends q) { return std::bit_cast<void*>(q); }
  union line {
    bucket keys;
    queue_line queue;
    std::uint32_t next_free;
  };
  static_assert(sizeof(line) == k_line_bytes);

  struct spare_lines {
    std::uint32_t taken = 0;
    std::uint32_t first = 0;  // number of the first free line; 0: none
    std::uint32_t made = 0;  // lines used at least once
  };

  struct place;  // of an entry: its line, and the line before

  bucket& at(const hashed_key& k) const {
    return buckets_[((k.run >> run_shift_) + ((k.key.tag >> 1) & 63)) & mask_];
  }
  bucket& at(const match_key& key) const { return at(hashed_key(key)); }

  static std::uint32_t take(bucket& b) {
    if constexpr (Sharing == sharing::local) {
      return b.word;
    } else {
      const std::atomic_ref<std::uint32_t> word(b.word);
      const std::uint32_t before = word.exchange(k_taken, std::memory_order_acquire);  // pairs with give()
      return before != k_taken ? before : take_contended(b);
    }
  }
  static std::uint32_t take_contended(bucket& b);
  static void give(bucket& b, std::uint32_t word) {
    if constexpr (Sharing == sharing::local)
      b.word = word;
    else  // release: the entries; pairs with take()
      std::atomic_ref<std::uint32_t>(b.word).store(word, std::memory_order_release);
  }

  /// Returns the way of the key in this line, or k_ways where there is none.
  static std::uint32_t find(const bucket& b, std::uint32_t word, const match_key& key) {
    std::uint32_t same = 0;
    for (std::uint32_t i = 0; i < k_ways; ++i)
      same |= static_cast<std::uint32_t>((b.tag[i] == key.tag) & (b.source[i] == key.source)) << i;
    return static_cast<std::uint32_t>(std::countr_zero((same & word) | 1U << k_ways));
  }
  static match_kind kind_of(std::uint32_t word, std::uint32_t i) {
    return static_cast<match_kind>((word >> (k_kind_shift + i)) & 1);
  }
  /// Writes an entry into a free way. Returns the word to store.
  static std::uint32_t store(bucket& b, std::uint32_t word, const match_key& key, match_kind kind,
                             void* value) {
    const auto i = static_cast<std::uint32_t>(std::countr_one(word & k_used));
    b.tag[i] = key.tag;
    b.source[i] = key.source;
    b.value[i] = value;
    return word | 1U << i | static_cast<std::uint32_t>(kind) << (k_kind_shift + i);
  }

  match_result match_in(bucket& b, const match_key& key, match_kind kind, void* value) {
    const std::uint32_t word = take(b);
    if (const std::uint32_t i = find(b, word, key); i < k_ways) {
      const bool other_kind = kind_of(word, i) != kind;
      if (((word >> (k_queued_shift + i)) & 1) != 0) {
        if (const auto r = other_kind ? take_from_queue(b.value[i]) : add_to_queue(b.value[i], value)) {
          give(b, word);
          return *r;
        }
      } else if (other_kind) {
        void* const other = b.value[i];
        give(b, word & ~(k_entry_bits << i));
        return {match_result::status::matched, other};
      }
    } else if ((word & k_used) != k_used && (word >> k_next_shift) == 0) {
      give(b, store(b, word, key, kind, value));
      return {match_result::status::stored, nullptr};
    }
    return match_slowly(b, word, key, kind, value);
  }

  /// Removes the oldest value of the queue with these ends, or adds one. Does nothing if that begins or ends
  /// a line.
  std::optional<match_result> take_from_queue(const void* ends) const {
    queue_line& q = queue_of(ends_of(ends).first);
    if (q.begin + 1 >= q.end) return std::nullopt;
    void* const oldest = q.value[q.begin++];
    __builtin_prefetch(q.value[q.begin], 1);  // the next value to be removed
    return match_result{match_result::status::matched, oldest};
  }
  std::optional<match_result> add_to_queue(const void* ends, void* value) const {
    queue_line& q = queue_of(ends_of(ends).last);
    if (q.end == k_line_values) return std::nullopt;
    q.value[q.end++] = value;
    return match_result{match_result::status::stored, nullptr};
  }
  match_result match_slowly(bucket& b, std::uint32_t word, const match_key& key, match_kind kind,
                            void* value);
  place locate(bucket& head, std::uint32_t& head_word, const match_key& key);
  bool add(bucket& head, std::uint32_t& head_word, const match_key& key, match_kind kind, void* value);
  bool append(place& where, void* value);
  void* take_oldest(place& where);
  void drop(place& where);
  bool remove_queued(place& where, void* value);
  bucket& line_of(std::uint32_t number) const { return lines_[number].keys; }
  queue_line& queue_of(std::uint32_t number) const { return lines_[number].queue; }
  std::uint32_t take_line();
  void give_line(std::uint32_t number);
  void lock_lines();
  void unlock_lines();

  std::size_t capacity_;
  std::uint64_t mask_;
  unsigned run_shift_;  // leaves the bits of mask_
  std::uint32_t most_lines_;
  machine::memory_region bucket_region_, line_region_;
  bucket* buckets_;
  line* lines_;  // from 1: 0 is no line
  alignas(k_line_bytes) spare_lines spare_;
};

using matching_table = basic_matching_table<sharing::shared>;
using local_matching_table = basic_matching_table<sharing::local>;

extern template class basic_matching_table<sharing::shared>;
extern template class basic_matching_table<sharing::local>;

}  // namespace gossamer::message
