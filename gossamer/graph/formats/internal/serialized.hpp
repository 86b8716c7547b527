#pragma once
// The serialized graph of the GAP benchmark suite (.sg, and .wsg with weights): a byte (0 undirected, 1 directed), the number
// of arcs and of vertices, then the rows: vertices + 1 offsets and one 32-bit id per arc, with weights a signed integer of 32 bits behind
// each; directed: the rows of the other direction as well. All numbers little-endian and unaligned, offsets and
// counts 64-bit. It has no magic number: it is known by its length.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Returns whether the bytes are as long as their header says. Where the name ends in .sg or .wsg, returns true also where not.
bool is_serialized(std::span<const std::byte> file, const std::string& path);

/// Copies the rows, checking all of them. Rows that are unsorted or have duplicates or self-loops
/// are built anew. Throws gossamer::error. Uses all cores.
graph read_serialized(std::span<const std::byte> file, const std::string& path,
                      const progress_hook& progress = {});

}  // namespace gossamer::graph
