#pragma once
// The cores that choose the pivots of a parallel sort.

#include <cstdint>
#include <string_view>

namespace gossamer {

/// The cores that choose the pivots of a parallel sort, from samples of all.
enum class pivots : std::uint8_t {
  all_cores,  ///< each independently, with the same result: two barriers fewer
  one_core,  ///< core 0, which sends them to the others
};

/// The names of pivots, in its order.
inline constexpr std::string_view k_pivots[] = {"all-cores", "one-core"};

}  // namespace gossamer
