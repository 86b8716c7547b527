#pragma once
// The serialized graph of the GAP benchmark suite (.sg, and .wsg with weights): a byte (0 undirected, 1
// directed), the number of arcs and of vertices, then the rows: vertices + 1 offsets and one 32-bit id per
// arc, followed by a signed 32-bit weight in .wsg. Directed graphs also have the rows of the other direction.
// All numbers are little-endian and unaligned, offsets and counts 64-bit. There is no magic number: the
// length identifies the format.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Returns whether the bytes have the length that their header declares. Also returns true if the name ends
/// in .sg or .wsg.
bool is_serialized(std::span<const std::byte> file, const std::string& path);

/// Copies the rows, checking all of them. Rebuilds rows if they are unsorted or have duplicates, whose weights
/// the rule combines, or self-loops. Throws gossamer::error. Uses all cores.
graph read_serialized(std::span<const std::byte> file, const std::string& path,
                      duplicate_rule rule = duplicate_rule::min, const progress_hook& progress = {});

}  // namespace gossamer::graph
