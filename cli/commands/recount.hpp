#pragma once
// --verify for the commands that compute nothing by a kernel of their own: `info` recounts everything
// serially, `convert` reads back what it wrote and compares the edges by their labels.

#include <cstdint>

#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {

/// Checks that rows are ascending without duplicates and self-loops. Also checks that `in` holds the arcs of
/// `out` reversed, and that the degrees are what a plain count finds. Serial, two passes over the arcs.
check check_degrees(const graph::graph_view& g, const graph::degrees_result& degrees);

/// Checks that both have the same edges between vertices of the same names, of the same weights. Vertices without edges do not
/// count: text cannot hold them. `by_number`: names do not count, as some forms have none, but the order of vertices. Serial; equal sums of
/// 64-bit hashes pass for equal sets.
check same_edges(const graph::graph& a, const graph::graph& b, bool by_number = false);

}  // namespace gossamer::cli
