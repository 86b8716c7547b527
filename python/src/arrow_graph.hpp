#pragma once
// Graphs from two columns of an Arrow table: of integers, which are the vertices, or of texts, which are their labels.

#include "arrow_table.hpp"
#include "gossamer/graph/build/from_edges.hpp"

namespace gossamer::python {

/// Builds a graph from two columns of integers or two of texts. Texts are numbered in the order in which they come, the source of a
/// row first. Collective over all cores; main fiber. Integers of 32 and 64 bits in one chunk are read where they lie; others
/// take 16 bytes an edge meanwhile, texts 40. Texts are numbered by one core. Throws gossamer::error for nulls, for other types, and as
/// from_edges() does. Needs no GIL.
graph::graph graph_of_arrow(const arrow_column& source, const arrow_column& target,
                            const graph::from_edges_options& how, const graph::progress_hook& hook);

}  // namespace gossamer::python
