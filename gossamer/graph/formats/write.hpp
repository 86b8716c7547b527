#pragma once
// Writes a graph to a file. The file is written under a temporary name and renamed, so it is complete or absent.

#include <string>
#include <string_view>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Writes a graph in the format of the extension. `.gsg` is the native format (native.hpp). `.mtx` (Matrix
/// Market), `.metis` and `.graph` (METIS), `.gr` (DIMACS), `.sg` and `.wsg` (GAP) number the vertices and
/// drop their names. Text formats may end in `.gz` or `.zst`, too. Any other name is a text edge list,
/// compressed if it ends in `.gz` or `.zst`. "-" is standard output.
///
/// An edge list has a comment that describes it, then one line per edge in ascending order:
/// "label<TAB>label", and the weight if there are weights. An undirected edge occurs once. Names that a
/// reader would misread are quoted. A header precedes a first edge that resembles one. Vertices without edges
/// are lost in text; a comment gives their number.
///
/// Scans the lines of names as load() does. Throws gossamer::error for names that could not be read back, and
/// if writing fails: disk full, no permission, ...
void write(const graph& g, const std::string& path, const progress_hook& progress = {});

/// Returns whether files of this name identify vertices by number, in the order of the graph, without names.
bool is_numbered_form(std::string_view path);

}  // namespace gossamer::graph
