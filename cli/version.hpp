#pragma once
// The version, from the build.

#include <string_view>

namespace gossamer::cli {

inline constexpr std::string_view k_version = GOSSAMER_VERSION;

}  // namespace gossamer::cli
