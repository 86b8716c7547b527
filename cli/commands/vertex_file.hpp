#pragma once
// Reads files of vertices, or of vertices with values, for questions about a graph.

#include <cstddef>
#include <string>
#include <vector>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

// The files are delimited text (io/delimited.hpp), plain or compressed. Tabs, commas, semicolons, bars or
// blanks separate fields, which may be quoted. Empty lines are skipped. A line that begins with # is a
// comment; if vertices are names, only if a blank or nothing follows. All functions throw gossamer::error
// with file and line, also for a label that no vertex has.

/// Reads lines of `each` vertices, 1 or 2.
std::vector<graph::vertex_id> read_vertices(const loaded_graph& g, const std::string& path, std::size_t each);

/// Reads lines of a vertex and its value. A first line without a number is a header. Returns a value for each
/// vertex; 0 for vertices that the file does not have. Throws if a vertex occurs twice, if a value is no
/// finite number of 0 or more, or if all values are 0.
std::vector<double> read_vertex_values(const loaded_graph& g, const std::string& path);

}  // namespace gossamer::cli
