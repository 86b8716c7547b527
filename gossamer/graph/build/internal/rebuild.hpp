#pragma once
// A graph built again from its own arcs: to read it in the other way (directed, undirected), or because
// its rows, from a file of another program, are not tidy.

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/graph/store/weights.hpp"

namespace gossamer::graph {

/// Builds a graph again: the same arcs as a directed graph, or each read both ways. An undirected graph has
/// each edge in both rows, which makes no duplicates. The rule combines the weights of edges between the same
/// vertices. Consumes `g`; adds to its statistics.
graph rebuild(graph g, bool directed, const progress_hook& progress = {},
              duplicate_rule rule = duplicate_rule::min);

/// Returns `g` as `directed` says, rebuilt where needed. Undirected to directed costs nothing: the rows are
/// the arcs already (tidy ones only).
graph as_directed(graph g, bool directed, const progress_hook& progress = {},
                  duplicate_rule rule = duplicate_rule::min);

}  // namespace gossamer::graph
