#pragma once
// The version number that the build sets.

#include <string_view>

namespace gossamer::cli {

inline constexpr std::string_view k_version = GOSSAMER_VERSION;

}  // namespace gossamer::cli
