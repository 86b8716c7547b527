#pragma once
// Forms of graphs in text, or bytes without a signature, that look like an edge list and are none. Each is refused by its name:
// read as an edge list it would be another graph.

#include <string>
#include <string_view>

namespace gossamer::graph {

/// What to do with a graph that is not read.
inline constexpr std::string_view k_edges_as_text =
    "write its edges as text, \"source target\" a line (or as .gz, .zst, .bz2, .xz, Matrix Market)";

/// Throws gossamer::error for XML, JSON arrays, DOT, GML, DIMACS of other kinds than shortest paths and flows, LGL, UCINET DL and adjacency lists
/// of NetworkX: the one list of these forms. `has_columns`: columns are asked for. Reads the first lines.
void refuse_foreign_graphs(std::string_view text, const std::string& path, bool has_columns);

}  // namespace gossamer::graph
