#include "gossamer/sort/key_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <functional>

#include "gossamer/sort/radix_sort.hpp"

namespace gossamer::sorting {
namespace {

template <class Key>
void sort_by_vectors(std::span<Key> keys) {
  const hwy::Sorter sorter;
  sorter(keys.data(), keys.size(), hwy::SortAscending());
}
void sort_any_order(std::span<std::uint64_t> keys) { sort_by_vectors(keys); }
/// Returns whether this processor is slow to compress vectors of 32-bit lanes to memory, as AMD's with
/// 512-bit vectors are. On those, vqsort (highway 1.0.3) takes 4.5 times as long for 32-bit keys as for
/// 64-bit ones.
bool compresses_slowly() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}
void sort_any_order(std::span<std::uint32_t> keys) {
  constexpr std::size_t k_network_keys = 256;  // sorted by a network, without compressing
  static const bool by_digits = compresses_slowly();
  if (by_digits && keys.size() > k_network_keys) return radix_sort(keys);
  sort_by_vectors(keys);
}

template <class Key>
void sort_any(std::span<Key> keys) {
  if (std::ranges::is_sorted(keys)) return;
  if (std::ranges::is_sorted(keys, std::greater<>())) {
    std::ranges::reverse(keys);
    return;
  }
  sort_any_order(keys);
}

// The vector sort costs a call for each vector of keys, which does not pay for few keys.
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

}  // namespace gossamer::sorting
