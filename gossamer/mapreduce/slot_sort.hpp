#pragma once
// Sorts slots of containers by an order of results, in place: it sorts entries of 16 bytes, by vector
// instructions. An entry is the slot's address, and a code that the order may have for it. Slots of equal
// codes get the code of the next level. Slots whose codes are equal at all levels are compared.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/sort/key_sort.hpp"
#include "gossamer/sort/upper_bound.hpp"

namespace gossamer::mapreduce {

/// Whether an order has codes: order.code(slot, level) of level 0 and 1. If code(a) < code(b) and the codes
/// of lower levels are equal, b does not come before a.
template <class Order, class Slot>
concept coded_order = requires(const Order& before, const Slot& s) { before.code(s, 0U); };

inline constexpr unsigned k_code_levels = 2;

/// Returns the code of a level, or 0 if the order has none.
template <class Slot, class Order>
std::uint64_t code_of(const Order& before, const Slot& s, unsigned level) {
  if constexpr (coded_order<Order, Slot>)
    return before.code(s, level);
  else
    return 0;
}

template <class Slot>
const Slot& slot_of(const sorting::wide_key& entry) {
  return *reinterpret_cast<const Slot*>(entry.low);
}
template <class Slot, class Order>
sorting::wide_key entry_of(const Order& before, const Slot& s) {
  return {reinterpret_cast<std::uintptr_t>(&s), code_of(before, s, 0)};
}

/// Sorts the slots themselves, if there are few, or they are written in order at once. Computes only.
template <class Slot, class Order>
void sort_slots(std::vector<Slot>& slots, const Order& before) {
  if (!std::ranges::is_sorted(slots, before)) std::ranges::sort(slots, before);
}

/// Sorts entries by their codes, which are those of `level`, and keeps the codes. Computes only.
template <class Slot, class Order>
void sort_entries(std::span<sorting::wide_key> entries, const Order& before, unsigned level = 0) {
  constexpr std::size_t k_few = 8;
  const auto compare = [&](std::span<sorting::wide_key> range) {
    std::ranges::sort(range, [&](const sorting::wide_key& a, const sorting::wide_key& b) {
      return before(slot_of<Slot>(a), slot_of<Slot>(b));
    });
  };
  if (!coded_order<Order, Slot>) return compare(entries);
  sorting::sort_keys(entries);
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end].high == entries[begin].high) ++end;
    const std::span<sorting::wide_key> ties = entries.subspan(begin, end - begin);
    if (ties.size() == 1) continue;
    if (level + 1 == k_code_levels || ties.size() <= k_few) {
      compare(ties);
      continue;
    }
    const std::uint64_t code = ties[0].high;
    for (sorting::wide_key& entry : ties) entry.high = code_of(before, slot_of<Slot>(entry), level + 1);
    sort_entries<Slot>(ties, before, level + 1);
    for (sorting::wide_key& entry : ties) entry.high = code;
  }
}

/// Compares entries of level 0 as the order compares their slots. Few comparisons read the slots.
template <class Slot, class Order>
struct entry_order {
  Order before;
  bool operator()(const sorting::wide_key& a, const sorting::wide_key& b) const {
    if constexpr (coded_order<Order, Slot>)
      if (a.high != b.high) [[likely]]
        return a.high < b.high;
    return before(slot_of<Slot>(a), slot_of<Slot>(b));
  }
};

/// Divides slots among buckets of an order (sample sort). Stores the splitters, but not their long keys.
template <class Slot, class Order>
class slot_splitters {
 public:
  /// Chooses buckets - 1 splitters from sampled slots, fewer if there are fewer samples.
  slot_splitters(std::span<const Slot* const> samples, std::size_t buckets, const Order& before)
      : before_(before) {
    std::vector<sorting::wide_key> sorted;
    for (const Slot* s : samples) sorted.push_back(entry_of(before, *s));
    sort_entries<Slot>(sorted, before);
    for (std::size_t p = 1; p < buckets && !sorted.empty(); ++p) {
      const Slot& s = slot_of<Slot>(sorted[sorted.size() * p / buckets]);
      if (!splitters_.empty() && !before(splitters_.back(), s)) continue;
      splitters_.push_back(s);
      codes_.push_back(code_of(before, s, 0));
    }
  }

  const Order& order() const { return before_; }
  /// Returns the number of buckets.
  std::size_t buckets() const { return splitters_.size() + 1; }

  /// Returns the bucket of a slot, given its code of level 0: the number of splitters that do not come after
  /// the slot.
  std::size_t bucket_of(const Slot& s, std::uint64_t code) const {
    return bucket_below(sorting::count_up_to(codes_, code), s, code);
  }
  /// Does the same for several entries of level 0 at once.
  template <std::size_t N>
  std::array<std::size_t, N> buckets_of(const std::array<sorting::wide_key, N>& entries) const {
    std::array<std::uint64_t, N> codes;
    for (std::size_t i = 0; i < N; ++i) codes[i] = entries[i].high;
    std::array<std::size_t, N> buckets = sorting::count_up_to(codes_, codes);
    for (std::size_t i = 0; i < N; ++i)
      buckets[i] = bucket_below(buckets[i], slot_of<Slot>(entries[i]), codes[i]);
    return buckets;
  }

 private:
  /// Returns the bucket of a slot, given the number of splitters whose codes do not exceed its own.
  std::size_t bucket_below(std::size_t end, const Slot& s, std::uint64_t code) const {
    if (end == 0 || codes_[end - 1] != code) [[likely]]
      return end;
    const auto first =
        std::lower_bound(codes_.begin(), codes_.begin() + static_cast<std::ptrdiff_t>(end), code);
    const auto from = splitters_.begin() + (first - codes_.begin());
    const auto to = splitters_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto found =
        std::partition_point(from, to, [&](const Slot& splitter) { return !before_(s, splitter); });
    return static_cast<std::size_t>(found - splitters_.begin());
  }

  Order before_;
  std::vector<std::uint64_t> codes_;
  std::vector<Slot> splitters_;
};

}  // namespace gossamer::mapreduce
