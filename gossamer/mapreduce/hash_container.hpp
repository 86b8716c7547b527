#pragma once
// A hash table of emitted pairs that combines the values of equal keys in place ("hybrid address spaces",
// section 4). Open addressing with quadratic probing; the number of slots doubles at a load of 0.8, or of 1/8 as
// long as the table is to be sparse. One core at a time uses a container. Other cores read it in place after
// the stage of its core has ended.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "gossamer/base/bits.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/mapreduce/internal/containers/key_traits.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"

namespace gossamer::mapreduce {

/// Combines a value into another, in place if the combiner can do that.
template <class Value, class Combine>
void combine_into(Value& into, const Value& value, Combine& combine) {
  if constexpr (requires { combine.combine_into(into, value); })
    combine.combine_into(into, value);
  else
    into = combine(into, value);
}

/// A value, and one to combine into it.
template <class Value>
struct value_pair {
  Value* into;
  const Value* value;
};
/// Whether a combiner combines several pairs of values together. Their values are all different objects, but
/// several pairs may have one `into`.
template <class Combine, class Value>
concept combines_each =
    requires(Combine& combine, std::span<const value_pair<Value>> pairs) { combine.combine_each(pairs); };

template <class Key, class Value, class Hash>
class hash_container {
  static_assert(std::is_trivially_copyable_v<Value>, "values are copied as bytes");

 public:
  using traits = key_traits<Key>;
  using stored = typename traits::stored;
  struct slot {
    stored key;
    Value value;
  };

  hash_container() = default;
  /// Up to `sparse_bytes` of slots are kept sparse: nearly all keys are in the first slot of their probe
  /// sequence then, and the branches of look-ups are predicted.
  explicit hash_container(Hash hash, std::size_t sparse_bytes = 0)
      : sparse_bytes_(sparse_bytes), hash_(hash) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Returns the bytes of memory allocated.
  std::size_t bytes() const { return slots_.size() * sizeof(slot) + arena_.bytes(); }
  /// Returns the bytes of the keys stored outside of the slots.
  std::size_t long_key_bytes() const { return arena_.used(); }

  /// Prefetches the first slot of the probe sequence of this hash, with each cache line that it touches.
  /// Always inlined: gcc considers a function that only prefetches to have no effect, and drops calls of it.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
    const std::byte* const at = reinterpret_cast<const std::byte*>(slots_.data() + (hash & mask_));
    __builtin_prefetch(at, 1);
    if constexpr (k_line_bytes % sizeof(slot) != 0) __builtin_prefetch(at + sizeof(slot) - 1, 1);
  }

  /// Returns the value of a key that is in the first slot of its probe sequence, as most keys are, and nothing
  /// for others. Valid until a key is inserted.
  Value* find_in_first(const stored& key, std::uint64_t hash) const {
    if (slots_.size() == 0) [[unlikely]]
      return nullptr;
    slot& s = slots_[hash & mask_];
    return traits::same_bytes(s.key, key) ? &s.value : nullptr;
  }
  /// Combines a value into that of its key, or inserts the key. A long text is copied when it is inserted.
  template <class Combine>
  void add(const stored& key, std::uint64_t hash, const Value& value, Combine& combine) {
    if (is_full()) [[unlikely]]
      grow(size_ + 1);
    add_in_room(key, hash, value, combine);
  }
  /// Does the same if the container is not full. Never allocates slots.
  template <class Combine>
  void add_in_room(const stored& key, std::uint64_t hash, const Value& value, Combine& combine) {
    slot& s = find(key, hash);
    if (!s.key.empty()) [[likely]]
      return combine_into(s.value, value, combine);
    s.key = key;
    if constexpr (traits::k_is_text)
      if (key.is_long()) s.key.first = reinterpret_cast<std::uintptr_t>(arena_.keep(key.text()).data());
    s.value = value;
    ++size_;
  }

  /// Reserves slots for `n` keys in all.
  void reserve(std::size_t n) {
    if (n > most_) grow(n);
  }
  /// Returns whether a new key needs more slots.
  bool is_full() const { return size_ >= most_; }
  /// Returns the bytes of the slots that `n` keys in all need, if they are not to be sparse.
  static std::size_t slot_bytes_for(std::size_t n) { return slots_for(n) * sizeof(slot); }

  /// Calls f(slot&) for each pair, in the order of slots. f must not change the key.
  template <class F>
  void for_each_slot(F f) const {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (!slots_[i].key.empty()) f(slots_[i]);
  }

  /// Calls f(slot&) for each pair, in an order that is spread over all slots. Use it to add pairs to another
  /// container: in the order of slots they would cluster in one range of that container before it grows, and
  /// lengthen its probe sequences.
  template <class F>
  void for_each_slot_spread(F f) const {
    const std::size_t blocks = slots_.size() / k_block_slots;  // a power of two
    constexpr double k_golden_section = 0.6180339887498949;
    const std::size_t step =
        static_cast<std::size_t>(static_cast<double>(blocks) * k_golden_section) | 1;  // odd: visits all
    for (std::size_t b = 0, block = 0; b < blocks; ++b, block = (block + step) & (blocks - 1))
      for (std::size_t i = block * k_block_slots; i < (block + 1) * k_block_slots; ++i)
        if (!slots_[i].key.empty()) f(slots_[i]);
  }

  /// Calls f(slot&) for each pair, in the order of slots, and removes it. Keeps the memory of slots, frees
  /// that of long keys.
  template <class F>
  void take_each_slot(F f) {
    for (std::size_t i = 0; size_ > 0; ++i)
      if (!slots_[i].key.empty()) {
        f(slots_[i]);
        slots_[i].key = stored();
        --size_;
      }
    arena_ = text_arena();
  }

  /// Returns the hash that add() and prefetch() take for this key.
  std::uint64_t hash_of(const stored& key) const { return traits::hash(hash_, key); }

  /// Removes all pairs and frees the memory.
  void clear() { *this = hash_container(hash_, sparse_bytes_); }

 private:
  static constexpr std::size_t k_least_slots = 64;
  static constexpr std::size_t k_block_slots = 64;  // visited together
  static constexpr std::size_t k_moved_at_once = 32;
  static constexpr std::size_t k_sparseness = 8;  // slots for each key

  slot& find(const stored& key, std::uint64_t hash) const {
    std::size_t at = hash & mask_;
    for (std::size_t step = 1; !slots_[at].key.empty() && !(slots_[at].key == key); ++step)
      at = (at + step) & mask_;
    return slots_[at];
  }

  static std::size_t most_of(std::size_t slots) { return slots / 5 * 4; }

  static std::size_t slots_for(std::size_t n) {
    const std::size_t slots = std::max(k_least_slots, std::bit_ceil(n + n / 4 + 1));
    return most_of(slots) < n ? 2 * slots : slots;
  }
  bool is_sparse(std::size_t slots) const { return slots * sizeof(slot) <= sparse_bytes_; }

  /// Reallocates the slots for `n` keys in all.
  void grow(std::size_t n) {
    std::size_t slots = slots_for(n);
    while (is_sparse(slots) && slots / k_sparseness < n) slots *= 2;
    machine::require_chunk(slots * sizeof(slot), "a container of keys");
    machine::zeroed_array<slot> before =
        std::exchange(slots_, {slots, "a container of keys", machine::pages::huge});
    slots_.populate();
    mask_ = slots - 1;
    most_ = is_sparse(slots) ? slots / k_sparseness : most_of(slots);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!before[i].key.empty()) find(before[i].key, hash_of(before[i].key)) = before[i];
  }

  machine::zeroed_array<slot> slots_;
  std::size_t mask_ = 0, size_ = 0, most_ = 0, sparse_bytes_ = 0;
  text_arena arena_;
  [[no_unique_address]] Hash hash_;
};

}  // namespace gossamer::mapreduce
