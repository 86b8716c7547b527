#pragma once
// Refuses other graph formats, text or binary without a signature, that resemble an edge list. Each is
// refused by its name: read as an edge list it would give another graph.

#include <string>
#include <string_view>

namespace gossamer::graph {

/// The advice for a graph that cannot be read.
inline constexpr std::string_view k_edges_as_text =
    "write its edges as text, \"source target\" a line (or as .gz, .zst, .bz2, .xz, Matrix Market)";

/// Throws gossamer::error for XML, JSON arrays, DOT, GML, DIMACS of other kinds than shortest paths and
/// flows, LGL, UCINET DL and adjacency lists of NetworkX: the one list of these formats. `has_columns`: the
/// options name columns. Reads the first lines.
void refuse_foreign_graphs(std::string_view text, const std::string& path, bool has_columns);

}  // namespace gossamer::graph
