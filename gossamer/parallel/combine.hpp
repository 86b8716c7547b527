#pragma once
// The places where the structures of gossamer/combining merge requests.

#include <array>
#include <cstdint>
#include <string_view>

namespace gossamer {

/// The place where requests to a shared structure merge.
enum class combine : std::uint8_t {
  off,     // nowhere: every request is a message
  home,    // at the home core; every request is a message
  local,   // on their core, which sends them together
  both,    // on their core, and again at the home core
  automatic,  // on their core; a set or map decides at run time whether also at the home core
};
/// The names of these in options and in GOSSAMER_COMBINING.
inline constexpr std::array<std::string_view, 5> k_combine_names{"off", "home", "local", "both", "automatic"};

/// Returns whether requests merge on their core.
constexpr bool merges_on_core(combine where) {
  return where == combine::local || where == combine::both || where == combine::automatic;
}
/// Returns whether requests always merge at the home core.
constexpr bool merges_at_home(combine where) { return where == combine::home || where == combine::both; }

}  // namespace gossamer
