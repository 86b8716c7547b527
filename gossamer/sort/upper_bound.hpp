#pragma once
// A branch-free binary search for splitters, because the results are hard to predict.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gossamer::sorting {

/// Returns the number of elements of an ascending range that are not greater than `key`.
inline std::size_t count_up_to(std::span<const std::uint64_t> ascending, std::uint64_t key) {
  const std::uint64_t* from = ascending.data();
  for (std::size_t left = ascending.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    from += from[half - 1] <= key ? half : 0;
    left -= half;
  }
  return static_cast<std::size_t>(from - ascending.data());
}

/// Does the same for several keys at once, because each step of a search waits for the previous one.
template <std::size_t N>
std::array<std::size_t, N> count_up_to(std::span<const std::uint64_t> ascending,
                                       const std::array<std::uint64_t, N>& keys) {
  std::array<std::size_t, N> counts{};
  for (std::size_t left = ascending.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    for (std::size_t i = 0; i < N; ++i) counts[i] += ascending[counts[i] + half - 1] <= keys[i] ? half : 0;
    left -= half;
  }
  return counts;
}

}  // namespace gossamer::sorting
