#pragma once
// From a graph to a file. Written to a temporary name and renamed: all or nothing.

#include <string>

#include "gossamer/graph/distributed/graph.hpp"
#include "gossamer/graph/formats/progress.hpp"

namespace gossamer::graph {

/// By ending: `.gsg` the native form (native.hpp); `.gz`, `.zst` a compressed text edge list; anything
/// else a text edge list: "label<TAB>label" per edge in ascending order (undirected: each edge once),
/// after a comment that says what it is; names that a reader would take for something else stand in quotes.
/// "-" is standard output. A vertex without edges is lost in text: one comment says how
/// many. Throws gossamer::error (full disk, no permission, ...).
void write(const graph& g, const std::string& path, const progress_hook& progress = {});

}  // namespace gossamer::graph
