#pragma once
// The result of a verifier. Kernels, graph algorithms and commands return it.

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer {

/// The outcome of a verifier.
struct check {
  /// Whether the answer is right.
  bool ok = true;
  std::string reason;  ///< when not ok: the first error found, one line
  /// Returns whether the answer is right.
  explicit operator bool() const { return ok; }
};

/// Returns the result for a number of errors: ok for 0, else "3 cells are wrong", made of "cell is" and "cells are".
check count_of_wrong(std::uint64_t wrong, std::string_view one, std::string_view many);

}  // namespace gossamer
