#pragma once
// Text edge lists (SNAP, TSV, CSV), plain, gzip or zstd: "from to [weight]" per line.

#include <cstddef>
#include <span>
#include <string>

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// Reads an edge list, whose vertices are the ids that appear. Makes integer ids dense in ascending order,
/// with their values as labels. Numbers names in order of first appearance. Checks and counts weights, but
/// does not keep them. `text` carries path, progress and tuning; its `begin` is set here.
graph read_edge_list(std::span<const std::byte> file, text_options text, const load_options& options);

/// Reads the preamble of an edge list; for fuzzers too.
preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options);

}  // namespace gossamer::graph
