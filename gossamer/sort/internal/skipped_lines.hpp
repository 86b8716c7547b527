#pragma once
// The lines that a sort leaves out because something is wrong with them: counted, and the first of them is kept.

#include <cstdint>
#include <string>
#include <utility>

#include "gossamer/base/function_ref.hpp"

namespace gossamer::sorting {

/// The lines that one core leaves out.
struct skipped_lines {
  std::uint64_t lines = 0;
  std::uint64_t place = ~std::uint64_t{0};  // of the first one; cores scan chunks in any order
  std::string what = {};  // is wrong with the first one

  /// Counts a line. Asks what is wrong with it where it comes before those that were counted.
  void add(std::uint64_t at, function_ref<std::string()> problem) {
    ++lines;
    if (at >= place) return;
    place = at;
    what = problem();
  }
  /// Adds what another core has left out.
  void add(const skipped_lines& other) {
    lines += other.lines;
    if (other.place >= place) return;
    place = other.place;
    what = other.what;
  }
};

}  // namespace gossamer::sorting
