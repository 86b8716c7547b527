#pragma once
// Divides lines among buckets of an order: samples of the lines, and splitters chosen from them (sample
// sort). A splitter is a line with its position in the input, so it may divide a range of equal keys, unless
// the rule is unique: then equal keys stay together.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/internal/line_rule.hpp"
#include "gossamer/sort/upper_bound.hpp"

namespace gossamer::sorting {

/// A sampled line.
struct line_sample {
  std::uint64_t step;  // the first step of its key
  std::uint64_t origin;  // orders equal keys, before the position does
  std::uint64_t line;
  std::string key;
  bool is_decided = false;  // equal steps of decided keys mean equal keys
};

/// The splitters, ascending.
class line_splitters {
 public:
  /// Chooses at most buckets - 1 of the samples.
  line_splitters(std::vector<line_sample> samples, std::uint64_t buckets, const line_rule& rule);

  /// Returns the number of buckets.
  std::size_t buckets() const { return splitters_.size() + 1; }

  /// Returns the bucket of a line: the number of splitters that do not come after it. `is_decided`: as in a
  /// sample.
  std::size_t bucket_of(std::uint64_t step, std::string_view key, bool is_decided, std::uint64_t origin,
                        std::uint64_t line) const {
    const std::size_t found = count_up_to(steps_, step);
    if (found == 0 || steps_[found - 1] != step) [[likely]]
      return found;
    return among_equal(found, {step, origin, line, key, is_decided});
  }

 private:
  struct placed_line {
    std::uint64_t step, origin, line;
    std::string_view key;
    bool is_decided;
  };
  std::size_t among_equal(std::size_t end, const placed_line& b) const;
  int compare(const line_sample& a, const placed_line& b) const;
  int compare_keys(const line_sample& a, const placed_line& b) const;
  int compare_places(const line_sample& a, const placed_line& b) const;

  line_rule rule_;
  std::vector<std::uint64_t> steps_;
  std::vector<line_sample> splitters_;
  std::vector<std::size_t> first_of_key_;  // by splitter: the first one with the same key
};

}  // namespace gossamer::sorting
