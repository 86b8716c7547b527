#pragma once
// The native form of a graph (.gsg): rows in both directions, weights and names, used in place from the page
// cache. Versioned, endianness-marked, checksummed per block; docs/native-format.md is the definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {

inline constexpr std::uint32_t k_native_version = 2;  // written; 1 is read, too

/// Returns whether these bytes begin like the native format (they may still be damaged).
bool is_native(std::span<const std::byte> file);

/// Opens a graph that reads `file` in place and keeps it. Checks all checksums, offsets, ids and names, on
/// all cores at memory speed. Thus no file can make an algorithm read outside it. Converts ids of the other
/// width (which copies). Throws gossamer::error, one line.
graph open_native(std::shared_ptr<const machine::mapped_file> file, const progress_hook& progress = {});

/// Does the same as open_native() for bytes in memory that outlive the graph, at a multiple of 64. For tests
/// and fuzzers. `name` is for errors.
graph open_native_bytes(std::span<const std::byte> bytes, const std::string& name, storage keep = {},
                        const progress_hook& progress = {});

/// Makes all checksums of a file in memory right, whatever else is wrong with it: for tests and fuzzers,
/// which could not get beyond them otherwise.
void reseal_native(std::span<std::byte> bytes);

void write_native(const graph& g, const std::string& path, const progress_hook& progress = {});

}  // namespace gossamer::graph
