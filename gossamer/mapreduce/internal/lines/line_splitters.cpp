#include "gossamer/mapreduce/internal/lines/line_splitters.hpp"

#include <algorithm>

namespace gossamer::mapreduce {

line_splitters::line_splitters(std::vector<line_sample> samples, std::uint64_t buckets, const line_rule& rule)
    : rule_(rule) {
  const auto order = [this](const line_sample& a, const line_sample& b) {
    return compare(a, b.step, b.key, b.origin, b.line) < 0;
  };
  std::ranges::sort(samples, order);
  for (std::uint64_t b = 1; b < buckets && !samples.empty(); ++b) {
    line_sample& chosen = samples[samples.size() * b / buckets];
    if (!splitters_.empty() && !order(splitters_.back(), chosen)) continue;
    splitters_.push_back(chosen);
    steps_.push_back(chosen.step);
  }
}

/// Compares a sample with a line: below 0 where the sample comes first.
int line_splitters::compare(const line_sample& a, std::uint64_t step, std::string_view key,
                            std::uint64_t origin, std::uint64_t line) const {
  if (a.step != step) return a.step < step ? -1 : 1;
  if (!rule_.is_decided(step))
    if (const int sign = rule_.compare(a.key, key); sign != 0) return sign;
  if (rule_.unique) return 0;
  if (a.origin != origin) return a.origin < origin ? -1 : 1;
  return (a.line > line ? 1 : 0) - (a.line < line ? 1 : 0);
}

/// Returns the bucket of a line whose step is that of splitters; `end`: how many steps are no greater.
std::size_t line_splitters::among_equal(std::size_t end, std::uint64_t step, std::string_view key,
                                        std::uint64_t origin, std::uint64_t line) const {
  std::size_t low = static_cast<std::size_t>(std::ranges::lower_bound(steps_, step) - steps_.begin());
  while (low < end) {
    const std::size_t middle = low + (end - low) / 2;
    if (compare(splitters_[middle], step, key, origin, line) <= 0)
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

}  // namespace gossamer::mapreduce
