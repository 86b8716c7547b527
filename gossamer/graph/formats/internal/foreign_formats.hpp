#pragma once
// Forms of graphs in text, or bytes without a signature, that look like an edge list and are none. Each is refused by its name:
// read as an edge list it would be another graph.

#include <string>
#include <string_view>

namespace gossamer::graph {

/// What to do with a graph that is not read.
inline constexpr std::string_view k_edges_as_text =
    "write its edges as text, \"source target\" a line (or as .gz, .zst, .bz2, .xz, Matrix Market)";

/// Throws gossamer::error for XML, JSON arrays, DOT, GML, Pajek, DIMACS, LGL, UCINET DL, METIS, adjacency lists of NetworkX and weighted graphs
/// of GAP: the one list of these forms. `whole`: the text has no more lines. `has_columns`: columns are asked for. Reads the first lines, and of a
/// text that begins as METIS does as many as agree.
void refuse_foreign_graphs(std::string_view text, bool whole, const std::string& path, bool has_columns);

/// Returns whether a text is METIS: "n m [format [weights]]", then for each vertex a line of its neighbours, each edge
/// twice. Lines that begin with % are comments.
bool is_metis(std::string_view text);

}  // namespace gossamer::graph
