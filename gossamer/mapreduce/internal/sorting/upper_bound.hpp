#pragma once
// A binary search without branches, for splitters: where a key falls is hard to predict.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gossamer::mapreduce {

/// Counts the elements of an ascending range that are no greater than `key`.
inline std::size_t count_up_to(std::span<const std::uint64_t> ascending, std::uint64_t key) {
  const std::uint64_t* from = ascending.data();
  for (std::size_t left = ascending.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    from += from[half - 1] <= key ? half : 0;
    left -= half;
  }
  return static_cast<std::size_t>(from - ascending.data());
}

}  // namespace gossamer::mapreduce
