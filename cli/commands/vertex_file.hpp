#pragma once
// Files beside a graph that name vertices: what questions about some vertices, or with values for them, read.

#include <cstddef>
#include <string>
#include <vector>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

// Records are read by the grammar of delimited text (io/delimited.hpp), plain or compressed: between tabs, commas, semicolons, bars or
// blanks, with quotes. Empty lines are passed over. A line that begins with # is a comment, where vertices are names only if a blank or
// nothing follows. All throw gossamer::error with file and line, also for a label that no vertex has.

/// Reads so many vertices a line, 1 or 2.
std::vector<graph::vertex_id> read_vertices(const loaded_graph& g, const std::string& path, std::size_t each);

/// Reads a vertex and its value a line. A first line without a number is a header. Returns a value for each vertex, 0 where the file has none.
/// Throws for a vertex that comes twice, for a value that is no finite number of 0 or more, and where all are 0.
std::vector<double> read_vertex_values(const loaded_graph& g, const std::string& path);

}  // namespace gossamer::cli
