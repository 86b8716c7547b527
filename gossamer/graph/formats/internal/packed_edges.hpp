#pragma once
// The edges that Graph500's reference code writes: 12 bytes each, two ids of 48 bits (their low words of 32 bits, then both high ones of 16).
// Nothing in such a file tells what it is, so it is read only where the caller says so.

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer::graph {

/// Reads a file of packed edges, undirected unless options say otherwise. `shared`: on the cores of all processes, which all can open the file.
/// Throws gossamer::error where its length is none of edges.
graph read_packed_edges(const io::text_file& file, const load_options& options, bool shared);

}  // namespace gossamer::graph
