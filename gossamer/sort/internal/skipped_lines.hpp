#pragma once
// Counts the malformed lines that a sort skips, and stores the first of them.

#include <cstdint>
#include <string>
#include <utility>

#include "gossamer/base/function_ref.hpp"

namespace gossamer::sorting {

/// The lines that one core skips.
struct skipped_lines {
  std::uint64_t lines = 0;
  std::uint64_t place = ~std::uint64_t{0};  // of the first one; cores scan chunks in any order
  std::string what = {};  // the problem of the first one

  /// Counts a line. Calls problem() if it comes before those counted so far.
  void add(std::uint64_t at, function_ref<std::string()> problem) {
    ++lines;
    if (at >= place) return;
    place = at;
    what = problem();
  }
  /// Adds the lines skipped by another core.
  void add(const skipped_lines& other) {
    lines += other.lines;
    if (other.place >= place) return;
    place = other.place;
    what = other.what;
  }
};

}  // namespace gossamer::sorting
