#pragma once
// --verify for commands without a kernel: `info` counts all degrees again serially; `convert` reads its
// output and compares the edges by their labels.

#include <cstdint>

#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {

/// Checks that rows are ascending without duplicates and self-loops. Also checks that `in` holds the arcs of
/// `out` reversed, and that a plain count finds the same degrees. Serial, several passes over the arcs.
check check_degrees(const graph::graph_view& g, const graph::degrees_result& degrees);

/// Checks that both have the same edges, by the names of their vertices, with the same weights. Ignores
/// vertices without edges, which text forms cannot represent. `by_number`: compares vertices by their order
/// instead, for forms without names. Serial. Compares sums of 64-bit hashes.
check same_edges(const graph::graph& a, const graph::graph& b, bool by_number = false);

}  // namespace gossamer::cli
