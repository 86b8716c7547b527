#pragma once
// Values of vertices, as a user gives them: a file of a vertex and its value a line.

#include <string>
#include <vector>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

/// Reads a file of vertices and values, in columns between tabs, commas, semicolons, bars or blanks. A first line without a number is a header;
/// lines that begin with # are comments. Returns a value for each vertex, 0 where the file has none. Throws gossamer::error with file and line: for
/// a vertex that the graph has not or that comes twice, for a value that is no finite number of 0 or more, and where all are 0.
std::vector<double> read_vertex_values(const std::string& path, const loaded_graph& g);

}  // namespace gossamer::cli
