#pragma once
// Writes formats that number the vertices in the order of the graph: Matrix Market, METIS, DIMACS, and GAP's
// serialized graphs. Drops names.

#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Writes a graph in the format of the extension (is_numbered_form()). Throws gossamer::error for a graph
/// that the format cannot represent.
void write_numbered(const graph& g, const std::string& path, const progress_hook& progress);

}  // namespace gossamer::graph
