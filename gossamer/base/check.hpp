#pragma once
// What a verifier says of an answer. Kernels, graph algorithms and commands return it alike.

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer {

/// The outcome of a verifier.
struct check {
  /// Whether the answer is right.
  bool ok = true;
  std::string reason;  ///< when not ok: the first thing found wrong, one line
  /// Returns whether the answer is right.
  explicit operator bool() const { return ok; }
};

/// Returns the outcome of a count of what is wrong: right where there is none, else "3 cells are wrong" of "cell is" and "cells are".
check count_of_wrong(std::uint64_t wrong, std::string_view one, std::string_view many);

}  // namespace gossamer
