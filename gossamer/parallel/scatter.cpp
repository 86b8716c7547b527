#include "gossamer/parallel/scatter.hpp"

#include <fmt/format.h>

#include <numeric>

#include "gossamer/base/error.hpp"

namespace gossamer::parallel {

void check_counts(std::span<const std::uint32_t> counts, std::size_t items) {
  if (counts.size() != cores())
    throw error(
        fmt::format("scatter: expected a count for each of the {} cores, found {}", cores(), counts.size()));
  const std::uint64_t sum =
      std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});  // cannot overflow
  if (sum != items)
    throw error(fmt::format("scatter: expected counts that add up to the {} items, found {}", items, sum));
}

}  // namespace gossamer::parallel
