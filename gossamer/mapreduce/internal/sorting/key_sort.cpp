#include "gossamer/mapreduce/internal/sorting/key_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <functional>

namespace gossamer::mapreduce {
namespace {

template <class Key>
void sort_any(std::span<Key> keys) {
  if (std::ranges::is_sorted(keys)) return;
  if (std::ranges::is_sorted(keys, std::greater<>())) {
    std::ranges::reverse(keys);
    return;
  }
  const hwy::Sorter sorter;
  sorter(keys.data(), keys.size(), hwy::SortAscending());
}

// Sorts with a call for each vector of keys, which costs more than it saves where they are few.
constexpr std::size_t k_few_wide_keys = 24;

bool comes_before(const wide_key& a, const wide_key& b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

}  // namespace

void sort_keys(std::span<std::uint32_t> keys) { sort_any(keys); }
void sort_keys(std::span<std::uint64_t> keys) { sort_any(keys); }

void sort_keys(std::span<wide_key> keys) {
  if (keys.size() <= k_few_wide_keys) {
    std::ranges::sort(keys, comes_before);
    return;
  }
  if (std::ranges::is_sorted(keys, comes_before)) return;
  static_assert(sizeof(wide_key) == sizeof(hwy::uint128_t) && alignof(wide_key) == alignof(hwy::uint128_t));
  const hwy::Sorter sorter;
  sorter(reinterpret_cast<hwy::uint128_t*>(keys.data()), keys.size(), hwy::SortAscending());
}

}  // namespace gossamer::mapreduce
