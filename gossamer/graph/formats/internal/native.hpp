#pragma once
// The native format of a graph (.gsg): rows in both directions, weights and names, used in place from the
// page cache. It has a version, a byte-order mark, and a checksum per block; docs/native-format.md is the
// definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {

inline constexpr std::uint32_t k_native_version = 2;  // the version written; 1 is read, too

/// Returns whether these bytes begin with the signature of the native format (they may still be damaged).
bool is_native(std::span<const std::byte> file);

/// Opens a graph that reads `file` in place and keeps it open. Checks all checksums, offsets, ids, weights and
/// names, that rows are tidy, and that both directions have the same arcs, on all cores at memory speed. So no
/// file can make an algorithm read outside it, and damaged rows are refused (docs/native-format.md has the
/// limits). Converts ids of the other width (which copies). Throws gossamer::error, one line.
graph open_native(std::shared_ptr<const machine::mapped_file> file, const progress_hook& progress = {});

/// Does the same as open_native() for bytes in memory that outlive the graph, aligned to 64 bytes. For tests
/// and fuzzers. `name` is for errors.
graph open_native_bytes(std::span<const std::byte> bytes, const std::string& name, storage keep = {},
                        const progress_hook& progress = {});

/// Corrects all checksums of a file in memory, even if it is invalid otherwise. For tests and fuzzers, which
/// could not get past them otherwise.
void reseal_native(std::span<std::byte> bytes);

void write_native(const graph& g, const std::string& path, const progress_hook& progress = {});

}  // namespace gossamer::graph
