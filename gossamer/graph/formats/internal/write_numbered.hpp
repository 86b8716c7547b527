#pragma once
// Files whose vertices are numbers, in the order of the graph: Matrix Market, METIS, DIMACS, and GAP's serialized graphs. Names are not kept.

#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Writes a graph as the ending says (is_numbered_form()). Throws gossamer::error for a graph that the form does not hold.
void write_numbered(const graph& g, const std::string& path, const progress_hook& progress);

}  // namespace gossamer::graph
