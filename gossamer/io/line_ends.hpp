#pragma once
// Line ends that are none: carriage returns alone, as old programs for the Macintosh write them. All that reads lines refuses them by one
// rule.

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "gossamer/base/error.hpp"

namespace gossamer::io {

/// How much of a text is looked at.
inline constexpr std::size_t k_line_ends_bytes = 64 << 10;

/// Throws gossamer::error where the head of a text has carriage returns among its text, and no line feed.
inline void check_line_ends(std::string_view head, const std::string& path) {
  head = head.substr(0, k_line_ends_bytes);
  const std::size_t first = head.find('\r');
  if (first == head.npos || first + 1 == head.size() || head.find('\n') != head.npos) return;
  throw error(
      fmt::format("{}: lines end with carriage returns alone, which are no line ends here: "
                  "tr '\\r' '\\n' < FILE writes others",
                  path));
}

}  // namespace gossamer::io
