#pragma once
// Degree distributions as answers have them: of `info` and of `report`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "commands/loaded_graph.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "output/json.hpp"

namespace gossamer::cli {

/// Returns the degrees of a bin: 0 of bin 0, 2^(b-1) .. 2^b - 1 of bin b.
std::pair<std::uint64_t, std::uint64_t> degree_bin(std::size_t bin);

/// Sets the key degrees/<side>.
void set_degrees(json_object& j, const std::string& side, const graph::degree_summary& d,
                 const loaded_graph& g);

}  // namespace gossamer::cli
