#pragma once
// From a graph to a file. Written to a temporary name and renamed: all or nothing.

#include <string>
#include <string_view>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Writes a graph in the format that the ending says. `.gsg` is the native format (native.hpp). `.mtx` (Matrix Market), `.metis` and `.graph`
/// (METIS), `.gr` (DIMACS), `.sg` and `.wsg` (GAP) number the vertices and keep no names. Those of text may end in `.gz` or `.zst`, too. `.gz` and
/// `.zst` are compressed text edge lists; anything else is a text edge list. "-" is standard output. Text has
/// "label<TAB>label", and the weight if edges have some, per edge in ascending order (undirected: each edge once), after a comment that says what
/// it is. Quotes names that a reader would take for something else, and begins with a header where the first edge
/// looks like one. A vertex without edges is lost in text: one comment says how many. Scans the lines of names as load()
/// does. Throws gossamer::error for names that would not be read back, and for a full disk, no permission, ...
void write(const graph& g, const std::string& path, const progress_hook& progress = {});

/// Returns whether a file of this name has vertices by their numbers, in the order of the graph, without names.
bool is_numbered_form(std::string_view path);

}  // namespace gossamer::graph
