#pragma once
// Degree distributions in the answers of `info` and `report`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "commands/loaded_graph.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "output/json.hpp"

namespace gossamer::cli {

/// Returns the first and last degree of a bin: 0 and 0 for bin 0, 2^(b-1) and 2^b - 1 for bin b.
std::pair<std::uint64_t, std::uint64_t> degree_bin(std::size_t bin);

/// Sets the key degrees/<side>.
void set_degrees(json_object& j, const std::string& side, const graph::degree_summary& d,
                 const loaded_graph& g);

}  // namespace gossamer::cli
