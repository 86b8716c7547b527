#include "gossamer/mapreduce/internal/sorting/radix_sort.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace gossamer::mapreduce {
namespace {

constexpr unsigned k_digit_bits = 8, k_digits = 1U << k_digit_bits;
constexpr std::size_t k_insertion = 32;

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

}  // namespace

void sort_by_hash(std::vector<hashed_pair>& pairs) {
  std::vector<open_range> open{{0, pairs.size(), 0}};  // at most 255 for each byte of the hash
  std::array<std::size_t, k_digits> next, ends;  // by digit
  while (!open.empty()) {
    const open_range r = open.back();
    open.pop_back();
    const std::span<hashed_pair> range = std::span(pairs).subspan(r.begin, r.end - r.begin);
    if (range.size() <= k_insertion) {
      insertion_sort(range, r.shift);
      continue;
    }
    const auto digit = [shift = r.shift](const hashed_pair& p) { return p.hash >> shift & (k_digits - 1); };
    ends.fill(0);
    std::uint64_t differ = 0;
    for (const hashed_pair& p : range) {
      ++ends[digit(p)];
      differ |= p.hash ^ range[0].hash;
    }
    if (differ == 0) continue;  // one key, most often
    std::size_t sum = 0;
    for (unsigned d = 0; d < k_digits; ++d) {
      next[d] = sum;
      sum += ends[d];
      ends[d] = sum;
      const std::size_t size = ends[d] - next[d];
      if (size > 1 && r.shift + k_digit_bits < 64)
        open.push_back({r.begin + next[d], r.begin + ends[d], r.shift + k_digit_bits});
    }
    for (unsigned d = 0; d < k_digits; ++d)
      while (next[d] < ends[d]) {  // the cycle that ends with the element that belongs here
        hashed_pair moved = range[next[d]];
        for (auto to = digit(moved); to != d; to = digit(moved)) std::swap(moved, range[next[to]++]);
        range[next[d]++] = moved;
      }
  }
}

}  // namespace gossamer::mapreduce
