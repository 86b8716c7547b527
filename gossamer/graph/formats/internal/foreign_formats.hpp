#pragma once
// Forms of graphs in text, or bytes without a signature, that look like an edge list and are none. Each is refused by its name:
// read as an edge list it would be another graph.

#include <string>
#include <string_view>

namespace gossamer::graph {

/// Throws gossamer::error for DIMACS, LGL, UCINET DL, METIS, adjacency lists of NetworkX and weighted graphs of GAP. `whole`: the text has no more
/// lines. Reads the first lines, and of a text that begins as METIS does as many as agree.
void refuse_foreign_graphs(std::string_view text, bool whole, const std::string& path);

/// Returns whether a text is METIS: "n m [format [weights]]", then for each vertex a line of its neighbours, each edge
/// twice. Lines that begin with % are comments.
bool is_metis(std::string_view text);

}  // namespace gossamer::graph
