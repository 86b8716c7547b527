#pragma once
// The edges that Graph500's reference code writes: 12 bytes each, two ids of 48 bits (their low words of 32
// bits, then both high ones of 16). Such a file has no signature, so it is read only if the options say so.

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer::graph {

/// Reads a file of packed edges, undirected unless options say otherwise. `shared`: on the cores of all
/// processes, each of which can open the file. Throws gossamer::error if its length is not a multiple of 12.
graph read_packed_edges(const io::text_file& file, const load_options& options, bool shared);

}  // namespace gossamer::graph
