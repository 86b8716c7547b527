#pragma once
// How verifiers say what they found.

#include <fmt/format.h>

#include <utility>

#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

/// Returns a failed check with its reason.
template <class... Args>
check wrong(fmt::format_string<Args...> format, Args&&... args) {
  return {false, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace gossamer::graph
