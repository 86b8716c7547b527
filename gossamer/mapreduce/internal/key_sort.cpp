#include "gossamer/mapreduce/internal/key_sort.hpp"

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

}  // namespace

void sort_keys(std::span<std::uint32_t> keys) { sort_any(keys); }
void sort_keys(std::span<std::uint64_t> keys) { sort_any(keys); }

}  // namespace gossamer::mapreduce
