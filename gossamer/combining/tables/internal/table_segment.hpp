#pragma once
// A small hash table of 2^k groups, with linear probing from the group that the hash selects: the elements of
// a table_core's directory. A view: it owns nothing, and is copied freely.
//
//   ... tags of group 2, 1, 0 | entries of group 0, 1, 2 ...
//                             ^ the address of the segment
// The tags are contiguous and take at most a 16th of the segment: those of millions of entries stay in the
// caches, so a lookup waits for one cache line from memory.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gossamer/base/bits.hpp"
#include "gossamer/combining/tables/internal/table_tags.hpp"

namespace gossamer::combining {

/// Returns 8 to 15 entries per group, so that a segment wastes little in a heap that allocates powers of two.
constexpr unsigned best_slots(std::size_t entry_bytes) {
  unsigned best = k_tag_bytes - 1;
  const auto bytes = [&](unsigned slots) { return std::bit_ceil(k_tag_bytes + slots * entry_bytes); };
  for (unsigned slots = best; slots >= 8; --slots)
    if (bytes(slots) * best < bytes(best) * slots) best = slots;
  return best;
}

template <class Entry>
  requires std::is_trivially_copyable_v<Entry>
class table_segment {
 public:
  static constexpr unsigned k_slots = best_slots(sizeof(Entry));
  static constexpr std::size_t k_align = std::max(k_line_bytes, alignof(Entry));
  /// Maximum number of groups: about 16 KiB, so that splitting a segment is short.
  static constexpr std::uint32_t k_most_groups = [] {
    std::uint32_t groups = 1U << k_most_group_bits;
    while (groups > 4 && groups * (k_tag_bytes + k_slots * sizeof(Entry)) > 16U << 10) groups /= 2;
    return groups;
  }();

  /// Returns the bytes of a segment. front_bytes() returns those in front of its address.
  static constexpr std::size_t bytes(std::uint32_t groups) {
    return front_bytes(groups) + std::size_t{groups} * k_slots * sizeof(Entry);
  }
  static constexpr std::size_t front_bytes(std::uint32_t groups) {
    return round_up(std::size_t{groups} * k_tag_bytes, alignof(Entry));
  }

  table_segment(std::byte* at, std::uint32_t mask) noexcept : at_(at), mask_(mask) {}

  /// Returns the cache line that most probably has the entry.
  const void* entry_line(std::uint64_t hash) const noexcept { return entry(home_of(hash), preferred(hash)); }

  /// Prefetches the tags that a lookup reads first, and entry_line().
  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(&tags(home_of(hash)), 1);
    __builtin_prefetch(entry_line(hash), 1);
    // gcc 12 considers a function that only prefetches to have no effect, and drops calls that it does not
    // inline early. This counts as an effect.
    asm volatile("");
  }

  /// Finds an entry, or returns null. Calls equal(entry) only for entries with the tag of the hash.
  template <class Equal>
  Entry* find(std::uint64_t hash, const Equal& equal) const {
    const std::uint32_t home = home_of(hash);
    if (Entry* const e = find_in(home, tag_of(hash), equal); e != nullptr) [[likely]]
      return e;
    return tags(home).overflow_count() == 0 ? nullptr : find_behind(hash, equal);
  }

  template <class Equal>
  bool erase(std::uint64_t hash, const Equal& equal) const {
    Entry* const e = find(hash, equal);
    if (e == nullptr) return false;
    const auto number = static_cast<std::uint32_t>(e - entry(0, 0));
    const std::uint32_t group = number / k_slots;
    tags(group).release(number % k_slots);
    for (std::uint32_t i = home_of(hash); i != group; i = next(i)) tags(i).uncount_overflow();
    return true;
  }

  /// Returns a free slot in the first `window` groups from the home of the hash, or null.
  Entry* claim(std::uint64_t hash, std::uint32_t window) const noexcept {
    std::uint32_t i = home_of(hash);
    for (std::uint32_t n = 0; n < window; ++n, i = next(i)) {
      if (const std::uint32_t free = tags(i).free(); free != 0) {
        for (std::uint32_t j = home_of(hash); j != i; j = next(j)) tags(j).pass();
        return take(i, free, hash);
      }
    }
    return nullptr;
  }

  void clear() const noexcept {
    for (std::uint32_t i = 0; i <= mask_; ++i) tags(i).clear();
  }

  std::size_t size() const noexcept {
    int n = 0;
    for (std::uint32_t i = 0; i <= mask_; ++i) n += std::popcount(tags(i).used());
    return static_cast<std::size_t>(n);
  }

  /// Calls f(entry) for each entry, until it returns false.
  template <class F>
  bool for_each(F&& f) const {
    for (std::uint32_t i = 0; i <= mask_; ++i)
      for (std::uint32_t m = tags(i).used(); m != 0; m &= m - 1)
        if (!f(*entry(i, static_cast<unsigned>(std::countr_zero(m))))) return false;
    return true;
  }

  /// Copies all entries into an empty, larger segment. Returns their number.
  template <class HashOf>
  std::size_t copy_to(table_segment larger, const HashOf& hash_of) const noexcept {
    std::size_t n = 0;
    for_each([&](const Entry& e) {
      put(larger, hash_of(e), e);
      ++n;
      return true;
    });
    return n;
  }

  /// Moves the entries whose hash has `bit` set into an empty segment of the same size, and the others as
  /// close to their home as possible. Returns the number of moved entries.
  template <class HashOf>
  std::size_t divide(table_segment other, std::uint64_t bit, const HashOf& hash_of) const noexcept {
    std::size_t moved = 0;
    std::uint16_t strays[1U << k_most_group_bits] = {};  // entries that stay, and are not at home
    for (std::uint32_t i = 0; i <= mask_; ++i) {
      for (std::uint32_t m = tags(i).used(); m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        const std::uint64_t hash = hash_of(*entry(i, slot));
        if ((hash & bit) != 0) {
          put(other, hash, *entry(i, slot));
          tags(i).release(slot);
          ++moved;
        } else if (home_of(hash) != i) {
          strays[i] = static_cast<std::uint16_t>(strays[i] | 1U << slot);
        }
      }
      tags(i).clear_overflow_count();
    }
    for (std::uint32_t i = 0; i <= mask_; ++i)
      for (std::uint32_t m = strays[i]; m != 0; m &= m - 1)
        moved += move_to_home_slot(i, static_cast<unsigned>(std::countr_zero(m)), hash_of);
    return moved;
  }

 private:
  std::uint32_t home_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash >> k_group_shift) & mask_;
  }
  std::uint32_t next(std::uint32_t i) const noexcept { return (i + 1) & mask_; }

  table_tags<k_slots>& tags(std::uint32_t i) const noexcept {
    return *(reinterpret_cast<table_tags<k_slots>*>(at_) - 1 - i);
  }
  Entry* entry(std::uint32_t i, unsigned slot) const noexcept {
    return reinterpret_cast<Entry*>(at_) + (std::size_t{i} * k_slots + slot);
  }

  template <class Equal>
  [[gnu::always_inline]] Entry* find_in(std::uint32_t i, std::uint8_t tag, const Equal& equal) const {
    Entry* const entries = entry(i, 0);
    for (std::uint32_t m = tags(i).match(tag); m != 0; m &= m - 1)
      if (Entry* const e = entries + std::countr_zero(m); equal(*e)) [[likely]]
        return e;
    return nullptr;
  }

  /// Searches the groups after the home group. Not inlined: it is rare, and lookup loops should keep their
  /// registers.
  template <class Equal>
  [[gnu::noinline]] Entry* find_behind(std::uint64_t hash, const Equal& equal) const {
    const std::uint32_t home = home_of(hash);
    for (std::uint32_t i = next(home); i != home; i = next(i)) {
      if (Entry* const e = find_in(i, tag_of(hash), equal); e != nullptr) return e;
      if (tags(i).overflow_count() == 0) break;
    }
    return nullptr;
  }

  static unsigned preferred(std::uint64_t hash) noexcept {
    return static_cast<unsigned>(((hash >> k_slot_shift) & 15) * k_slots >> 4);
  }
  /// Takes one of the free slots, if possible on the cache line of entry_line().
  Entry* take(std::uint32_t i, std::uint32_t free, std::uint64_t hash) const noexcept {
    const unsigned best = preferred(hash);
    const std::size_t in_line = reinterpret_cast<std::uintptr_t>(entry(i, best)) % k_line_bytes;
    const auto before = static_cast<unsigned>(std::min(in_line / sizeof(Entry), std::size_t{best}));
    const auto behind =
        static_cast<unsigned>(std::min((k_line_bytes - 1 - in_line) / sizeof(Entry), std::size_t{15}));
    const std::uint32_t near = free & ((2U << (best + behind)) - (1U << (best - before)));
    const auto slot = static_cast<unsigned>(std::countr_zero(near != 0 ? near : free));
    tags(i).take(slot, tag_of(hash));
    return entry(i, slot);
  }

  static void put(table_segment to, std::uint64_t hash, const Entry& e) noexcept {
    std::memcpy(static_cast<void*>(to.claim(hash, to.mask_ + 1)), &e, sizeof e);
  }

  /// Moves an entry that no overflow count includes closer to its home, or keeps its slot if none before it
  /// is free. Returns the number of moved entries.
  template <class HashOf>
  std::size_t move_to_home_slot(std::uint32_t i, unsigned slot, const HashOf& hash_of) const noexcept {
    Entry* const from = entry(i, slot);
    const std::uint64_t hash = hash_of(*from);
    const std::uint32_t away = (i - home_of(hash)) & mask_;
    if (Entry* const to = claim(hash, away); to != nullptr) {  // groups before this one
      std::memcpy(static_cast<void*>(to), from, sizeof *from);
      tags(i).release(slot);
      return 1;
    }
    for (std::uint32_t j = home_of(hash); j != i; j = next(j)) tags(j).pass();
    return 0;
  }

  std::byte* at_;
  std::uint32_t mask_;
};

}  // namespace gossamer::combining
