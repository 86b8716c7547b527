#pragma once
// Reads files over several processes, for load.cpp. By the main fiber.

#include <cstdint>
#include <string>

#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// Reads a text. Every process scans a block of the lines.
graph read_edge_list_over_processes(const std::string& path, const load_options& options);
graph read_matrix_market_over_processes(const std::string& path, const load_options& options);

/// Opens a file. Every process maps it and copies its own rows. Process 0 keeps a native file, for the names.
graph open_native_over_processes(const std::string& path, const progress_hook& progress);
graph read_serialized_over_processes(const std::string& path, duplicate_rule rule,
                                     const progress_hook& progress);

}  // namespace gossamer::graph
