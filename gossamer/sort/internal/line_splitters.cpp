#include "gossamer/sort/internal/line_splitters.hpp"

#include <algorithm>

namespace gossamer::sorting {

line_splitters::line_splitters(std::vector<line_sample> samples, std::uint64_t buckets, const line_rule& rule)
    : rule_(rule) {
  if (rule.numeric)
    for (line_sample& s : samples) s.is_decided = read_number(s.key).is_decided;
  const auto order = [this](const line_sample& a, const line_sample& b) {
    return compare(a, {b.step, b.origin, b.line, b.key, b.is_decided}) < 0;
  };
  std::ranges::sort(samples, order);
  for (std::uint64_t b = 1; b < buckets && !samples.empty(); ++b) {
    line_sample& chosen = samples[samples.size() * b / buckets];
    if (!splitters_.empty() && !order(splitters_.back(), chosen)) continue;
    const placed_line line{chosen.step, chosen.origin, chosen.line, chosen.key, chosen.is_decided};
    const bool has_key_of_last = !splitters_.empty() && compare_keys(splitters_.back(), line) == 0;
    first_of_key_.push_back(has_key_of_last ? first_of_key_.back() : splitters_.size());
    splitters_.push_back(chosen);
    steps_.push_back(chosen.step);
  }
}

/// Compares a sample with a line: negative if the sample comes first.
int line_splitters::compare(const line_sample& a, const placed_line& b) const {
  const int sign = compare_keys(a, b);
  return sign != 0 ? sign : compare_places(a, b);
}

int line_splitters::compare_keys(const line_sample& a, const placed_line& b) const {
  if (a.step != b.step) return a.step < b.step ? -1 : 1;
  return a.is_decided && b.is_decided ? 0 : rule_.compare(a.key, b.key);
}

/// Compares the positions of lines with equal keys.
int line_splitters::compare_places(const line_sample& a, const placed_line& b) const {
  if (rule_.unique) return 0;
  if (a.origin != b.origin) return a.origin < b.origin ? -1 : 1;
  return (a.line > b.line ? 1 : 0) - (a.line < b.line ? 1 : 0);
}

/// Returns the bucket of a line whose step equals that of some splitters; `end`: number of steps that are not
/// greater.
std::size_t line_splitters::among_equal(std::size_t end, const placed_line& b) const {
  std::size_t low = static_cast<std::size_t>(std::ranges::lower_bound(steps_, b.step) - steps_.begin());
  // If many lines have one key, so have the splitters: it is compared once.
  const bool of_one_key = first_of_key_[end - 1] == low;
  if (of_one_key)
    if (const int sign = compare_keys(splitters_[low], b); sign != 0) return sign < 0 ? end : low;
  while (low < end) {
    const std::size_t middle = low + (end - low) / 2;
    if ((of_one_key ? compare_places(splitters_[middle], b) : compare(splitters_[middle], b)) <= 0)
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

}  // namespace gossamer::sorting
