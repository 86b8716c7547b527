#pragma once
// Text edge lists (SNAP, TSV, CSV), plain, gzip or zstd: "from to [weight]" per line.

#include <cstddef>
#include <span>
#include <string>

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

/// Reads an edge list, whose vertices are the ids that appear. Makes integer ids dense in ascending order,
/// with their values as labels. Numbers names in order of first appearance. `text` has path, progress and
/// tuning; sets its `begin`.
graph read_edge_list(const io::text_file& file, text_options text, const load_options& options);

/// Reads the preamble of an edge list; also for fuzzers.
preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options);

/// Returns whether edges have a direction: according to the options, otherwise to the text.
bool is_directed(const text_facts& facts, const load_options& options);

/// Returns whether a reader keeps the weights of lines.
bool keeps_weights(const load_options& options);

/// Returns the rule that weights have to satisfy.
weight_rule rule_of(weight_use use);

/// Stores what is known of a text in the statistics. `counts`: of all processes.
void fill_statistics(graph_statistics& statistics, const text_facts& facts, const line_counts& counts);

/// Adds a note if a text of names begins with two that occur nowhere else: they may be a header. Main fiber.
void note_no_header(graph& g, const text_facts& facts);

}  // namespace gossamer::graph
