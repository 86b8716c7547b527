#pragma once
// Checks the names of vertices: UTF-8 without control characters.

#include <string>
#include <string_view>

#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

/// Returns whether a name is allowed.
bool is_clean_name(std::string_view name);

/// Throws gossamer::error for the first name that is not allowed in a file, which is to be written to `path`.
/// Uses the cores of this process.
void require_clean_names(const labels& names, const std::string& path);

}  // namespace gossamer::graph
