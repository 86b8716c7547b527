#pragma once
// The native form of a graph (.gsg): rows in both directions and names, used in place from the page
// cache. Versioned, endianness-marked, checksummed per block; docs/native-format.md is the definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/distributed/graph.hpp"
#include "gossamer/graph/formats/progress.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {

inline constexpr std::uint32_t k_native_version = 1;

/// Whether these bytes begin like the native form (they may still be damaged).
bool is_native(std::span<const std::byte> file);

/// A graph that reads `file` in place and keeps it. All checksums, offsets, ids and names are checked, on
/// all cores at memory speed, so no file can make an algorithm read outside it. Ids of the other width
/// are converted (which copies). Throws gossamer::error, one line.
graph open_native(std::shared_ptr<const machine::mapped_file> file, const progress_hook& progress = {});

/// The same for bytes in memory that outlive the graph, at a multiple of 64; for tests and fuzzers.
/// `name` for errors.
graph open_native_bytes(std::span<const std::byte> bytes, const std::string& name, storage keep = {},
                        const progress_hook& progress = {});

/// Makes all checksums of a file in memory right, whatever else is wrong with it: for tests and fuzzers,
/// which could not get beyond them otherwise.
void reseal_native(std::span<std::byte> bytes);

void write_native(const graph& g, const std::string& path, const progress_hook& progress = {});

}  // namespace gossamer::graph
