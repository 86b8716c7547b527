#pragma once
// The serialized graph of the GAP benchmark suite (.sg): a byte (0 undirected, 1 directed), the number
// of arcs and of vertices, then the rows: vertices + 1 offsets and one 32-bit id per arc; directed:
// the rows of the other direction as well. All numbers little-endian and unaligned, offsets and
// counts 64-bit. It has no magic number: it is known by its length.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Returns whether the bytes are as long as their header says. With `by_name` (it ends in .sg), returns true
/// also where not.
bool is_serialized(std::span<const std::byte> file, bool by_name);

/// Copies the rows, checking all of them. Rows that are unsorted or have duplicates or self-loops
/// are built anew. Throws gossamer::error. Uses all cores.
graph read_serialized(std::span<const std::byte> file, const std::string& path,
                      const progress_hook& progress = {});

}  // namespace gossamer::graph
