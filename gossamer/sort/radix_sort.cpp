#include "gossamer/sort/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace gossamer::sorting {
namespace {

constexpr unsigned k_digit_bits = 8, k_digits = 1U << k_digit_bits;
using digit_ends = std::array<std::size_t, k_digits>;

/// Permutes elements to the places of their digits, in place. Returns the end of each digit. Elements with
/// the same digit are in no order; nothing moves if all have the same digit.
template <class T, class Digit>
digit_ends deal_by_digit(std::span<T> range, Digit digit) {
  digit_ends next, ends{};
  for (const T& e : range) ++ends[digit(e)];
  std::size_t sum = 0;
  for (unsigned d = 0; d < k_digits; ++d) {
    next[d] = sum;
    sum += ends[d];
    ends[d] = sum;
  }
  for (unsigned d = 0; d < k_digits; ++d) {
    if (ends[d] - next[d] == range.size()) break;
    while (next[d] < ends[d]) {  // the cycle that ends with the element for this place
      T moved = range[next[d]];
      for (auto to = digit(moved); to != d; to = digit(moved)) std::swap(moved, range[next[to]++]);
      range[next[d]++] = moved;
    }
  }
  return ends;
}

/// A range whose hashes agree in all bits below `shift`.
struct open_range {
  std::size_t begin, end;
  unsigned shift;
};

/// Sorts a short range by the bits from `shift` on.
void insertion_sort(std::span<hashed_pair> range, unsigned shift) {
  for (std::size_t i = 1; i < range.size(); ++i) {
    const hashed_pair moved = range[i];
    std::size_t at = i;
    for (; at > 0 && range[at - 1].hash >> shift > moved.hash >> shift; --at) range[at] = range[at - 1];
    range[at] = moved;
  }
}

constexpr std::size_t k_insertion = 32;
constexpr std::size_t k_buffer_keys = std::size_t{1}
                                      << 16;  // keys that are copied back and forth in the cache

/// Sorts at most k_buffer_keys keys by all digits below `bits`: from the lowest one up, copying between
/// `keys` and `buffer`.
void sort_in_buffer(std::span<std::uint32_t> keys, std::uint32_t* buffer, unsigned bits) {
  constexpr unsigned k_most = 32 / k_digit_bits;
  const unsigned digits = bits / k_digit_bits;
  std::array<std::array<std::uint32_t, k_digits>, k_most> places{};
  const auto digit = [](std::uint32_t key, unsigned d) { return key >> (d * k_digit_bits) & (k_digits - 1); };
  for (const std::uint32_t key : keys)
    for (unsigned d = 0; d < k_most; ++d) ++places[d][digit(key, d)];
  std::uint32_t *from = keys.data(), *to = buffer;
  for (unsigned d = 0; d < digits; ++d) {
    std::array<std::uint32_t, k_digits>& next = places[d];
    if (next[digit(*from, d)] == keys.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& n : next) sum += std::exchange(n, sum);
    for (std::size_t i = 0; i < keys.size(); ++i) to[next[digit(from[i], d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys.data()) std::copy_n(from, keys.size(), keys.data());
}

/// Sorts keys that agree in all bits from `bits` on.
void sort_below(std::span<std::uint32_t> keys, std::uint32_t* buffer, unsigned bits) {
  constexpr std::size_t k_few = 24;
  if (keys.size() <= k_few) {
    std::ranges::sort(keys);
    return;
  }
  if (keys.size() <= k_buffer_keys) return sort_in_buffer(keys, buffer, bits);
  const unsigned shift = bits - k_digit_bits;
  const digit_ends ends =
      deal_by_digit(keys, [shift](std::uint32_t key) { return key >> shift & (k_digits - 1); });
  if (shift == 0) return;
  for (std::size_t d = 0, begin = 0; d < k_digits; begin = ends[d++])
    if (ends[d] - begin > 1) sort_below(keys.subspan(begin, ends[d] - begin), buffer, shift);
}

}  // namespace

void radix_sort(std::span<std::uint32_t> keys) {
  const auto buffer = std::make_unique_for_overwrite<std::uint32_t[]>(std::min(keys.size(), k_buffer_keys));
  sort_below(keys, buffer.get(), 32);
}

void sort_by_hash(std::vector<hashed_pair>& pairs) {
  std::vector<open_range> open{{0, pairs.size(), 0}};  // at most 255 for each byte of the hash
  while (!open.empty()) {
    const open_range r = open.back();
    open.pop_back();
    const std::span<hashed_pair> range = std::span(pairs).subspan(r.begin, r.end - r.begin);
    if (range.size() <= k_insertion) {
      insertion_sort(range, r.shift);
      continue;
    }
    if (std::ranges::all_of(range, [&](const hashed_pair& p) { return p.hash == range[0].hash; }))
      continue;  // usually a single key
    const digit_ends ends = deal_by_digit(
        range, [shift = r.shift](const hashed_pair& p) { return p.hash >> shift & (k_digits - 1); });
    if (r.shift + k_digit_bits == 64) continue;
    for (std::size_t d = 0, begin = 0; d < k_digits; begin = ends[d++])
      if (ends[d] - begin > 1) open.push_back({r.begin + begin, r.begin + ends[d], r.shift + k_digit_bits});
  }
}

}  // namespace gossamer::sorting
