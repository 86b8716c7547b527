#pragma once
// Text edge lists (SNAP, TSV, CSV), plain, gzip or zstd: "from to [weight]" per line.

#include <cstddef>
#include <span>
#include <string>

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// Reads an edge list, whose vertices are the ids that appear. Makes integer ids dense in ascending order,
/// with their values as labels. Numbers names in order of first appearance. `text` carries path, progress and tuning; its `begin` is set here.
graph read_edge_list(const io::text_file& file, text_options text, const load_options& options);

/// Reads the preamble of an edge list; for fuzzers too.
preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options);

/// Returns whether edges have a direction: as the caller says, else as the text does.
bool is_directed(const text_facts& facts, const load_options& options);

/// Returns whether a reader keeps the weights of lines.
bool keeps_weights(const load_options& options);

/// Returns what lines have to keep to.
weight_rule rule_of(weight_use use);

/// Writes what is known of a text to the statistics. `counts`: of all processes.
void fill_statistics(graph_statistics& statistics, const text_facts& facts, const line_counts& counts);

/// Adds a note where a text of names begins with two that occur nowhere else: they may be a header. Main fiber.
void note_no_header(graph& g, const text_facts& facts);

}  // namespace gossamer::graph
