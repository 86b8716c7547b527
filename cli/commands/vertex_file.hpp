#pragma once
// A file of vertices, or of pairs of them, by their labels: what questions about some vertices read beside the graph.

#include <cstddef>
#include <string>
#include <vector>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

/// Reads so many vertices a line, 1 or 2. Two stand on both sides of a tab; else of a comma; else of blanks. Blank lines are passed over. Throws
/// gossamer::error with file and line for a line of another form, and for a label that no vertex has.
std::vector<graph::vertex_id> read_vertices(const loaded_graph& g, const std::string& path, std::size_t each);

}  // namespace gossamer::cli
