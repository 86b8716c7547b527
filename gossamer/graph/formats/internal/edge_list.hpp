#pragma once
// Text edge lists (SNAP, TSV, CSV), plain, gzip or zstd: "from to [weight]" per line.

#include <cstddef>
#include <span>
#include <string>

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// The vertices are the ids that appear. Integer ids become dense in ascending order and keep their
/// value as label; names are numbered in order of first appearance. Weights are checked and counted,
/// not kept. `text` carries path, progress and tuning; its `begin` is set here.
graph read_edge_list(std::span<const std::byte> file, text_options text, const load_options& options);

/// The preamble reader of edge lists, for fuzzers too.
preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options);

}  // namespace gossamer::graph
