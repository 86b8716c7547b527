#pragma once
// Sorting a cache-sized span of integers of known width, perhaps with weights beside them: radix sort from the lowest digit, an odd
// number of passes, so that the result is always in the scratch memory. Equal keys with weights keep their order.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/graph/build/internal/buckets.hpp"

namespace gossamer::graph {

/// One core's scratch memory, reused from span to span.
template <class Key>
class key_sorter {
 public:
  /// Returns memory for n keys to sort, valid until the next call.
  std::span<Key> room(std::size_t n) {
    if (room_.size() < n) room_.resize(std::max(n, room_.size() * 2));
    return {room_.data(), n};
  }

  /// Sorts keys whose values are below 2^bits. The answer is valid until the next call; `keys` is
  /// scratch memory too.
  std::span<const Key> sort(std::span<Key> keys, unsigned bits) {
    if (scratch_.size() < keys.size()) scratch_.resize(std::max(keys.size(), scratch_.size() * 2));
    if (keys.size() < k_small || keys.size() >= ~std::uint32_t{0}) {
      std::copy(keys.begin(), keys.end(), scratch_.begin());
      const auto end = scratch_.begin() + static_cast<std::ptrdiff_t>(keys.size());
      const auto is_before = [](const Key& a, const Key& b) { return key_of(a) < key_of(b); };
      if constexpr (entry_of<Key>::has_weight)
        std::stable_sort(scratch_.begin(), end, is_before);
      else
        std::sort(scratch_.begin(), end, is_before);
    } else {
      radix_sort(keys, bits);
    }
    return {scratch_.data(), keys.size()};
  }

 private:
  static constexpr std::size_t k_small = 512;
  static constexpr unsigned k_most_passes = 5;

  void radix_sort(std::span<Key> keys, unsigned bits) {
    const unsigned passes = bits <= 11 ? 1 : bits <= 36 ? 3 : k_most_passes;
    const unsigned digit = std::max(1U, (bits + passes - 1) / passes);
    const std::uint32_t values = std::uint32_t{1} << digit;
    counts_.assign(std::size_t{passes} * values, 0);
    for (const Key key : keys)
      for (unsigned p = 0; p < passes; ++p)
        ++counts_[p * values + ((key_of(key) >> (p * digit)) & (values - 1))];
    Key* from = keys.data();
    Key* to = scratch_.data();
    for (unsigned p = 0; p < passes; ++p) {
      std::uint32_t* const next = counts_.data() + std::size_t{p} * values;
      std::uint32_t sum = 0;
      for (std::uint32_t d = 0; d < values; ++d) sum += std::exchange(next[d], sum);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key key = from[i];
        to[next[(key_of(key) >> (p * digit)) & (values - 1)]++] = key;
      }
      std::swap(from, to);
    }
  }

  std::vector<Key> scratch_, room_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace gossamer::graph
