#pragma once
// A file of vertices beside an edge list, one id or name per line, for vertices without edges: LDBC
// Graphalytics' .v beside .e. It is read as a text whose edges lead from each vertex to itself. These are
// appended to the edges, and removed with the other self-loops when rows are built. OGB's num-node-list.csv
// beside edge.csv has only their number: vertices are the integers from 0 on.

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// Reads the file options.table.vertices; returns nothing if there is none. `names`: integers are names, too.
/// Throws gossamer::error. Uses the cores of this process.
text_edges read_vertices(const load_options& options, bool names);

/// Throws gossamer::error if that file is OGB's, which counts vertices from 0 on, and an edge has an id that
/// is not less than their number.
void check_counted_vertices(const load_options& options, std::uint64_t counted, std::uint64_t highest,
                            std::string_view edges);

/// Reads the preamble of such a file.
preamble begin_vertices(std::string_view text, bool whole, const load_options& options, bool names);

}  // namespace gossamer::graph
