#pragma once
// Where structures of several requesters (gossamer/combining) merge what asks for the same thing.

#include <array>
#include <cstdint>
#include <string_view>

namespace gossamer {

/// Where requests to a shared structure merge.
enum class combine : std::uint8_t {
  off,     // every request travels alone
  home,    // requests travel alone, and are merged where the structure's common state is
  local,   // those of a core are merged there, and made global together
  both,    // on the core and, with those of other cores, at the common state
  automatic,  // on the core; sets and maps decide while the job runs whether also at the common state
};
/// As options and GOSSAMER_COMBINING name them.
inline constexpr std::array<std::string_view, 5> k_combine_names{"off", "home", "local", "both", "automatic"};

/// Returns whether the requests of a core merge there.
constexpr bool merges_on_core(combine where) {
  return where == combine::local || where == combine::both || where == combine::automatic;
}
/// Returns whether requests always merge at the common state.
constexpr bool merges_at_home(combine where) { return where == combine::home || where == combine::both; }

}  // namespace gossamer
