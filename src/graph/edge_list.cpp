#include "gossamer/graph/edge_list.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build.hpp"
#include "gossamer/graph/compact.hpp"
#include "gossamer/graph/matrix_market.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

preamble begin_edge_list(std::string_view text, const std::string& path, const load_options& options) {
  check_no_lost_banner(text, path);
  preamble p;
  const bool names = options.vertices == label_mode::names;
  bool header = options.header;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    const char* const next = take_line(at, end, line);
    ++number;
    p.format = guess_format(line, names);
    p.format.integers_only = options.vertices == label_mode::integers;
    const scanned_line first = scan_line(line, p.format, names);
    if (first.skip || std::exchange(header, header && first.skip)) {
      at = next;
      continue;
    }
    if (first.what != problem::none && first.what != problem::name && first.what != problem::wide)
      fail_at(path, number, describe(first.what, first.culprit, p.format));
    p.names = names || first.what == problem::name;
    p.names_allowed = options.vertices == label_mode::by_input;
    p.found = true;
    p.bytes = static_cast<std::size_t>(at - text.data());
    return p;
  }
  return p;
}

namespace {

// Vertices from ids: dense ranges as they are, others through tables.
graph build_from(text_edges text, bool directed, graph_statistics statistics, const progress_hook& progress) {
  build_input input;
  input.directed = directed;
  const std::uint64_t bound = text.highest + 1;
  if (text.named) {
    input.vertices = text.names.size();
  } else if (text.wide.empty() && is_dense(bound, text.count)) {
    input.vertices = bound;
    input.only_present = true;
    text.names = labels::range(bound);
  } else {
    const std::uint64_t start = machine::now_ns();
    compacted_edges compacted = compact_ids(std::move(text.edges), std::move(text.wide));
    text.edges = std::move(compacted.edges);
    text.names = std::move(compacted.names);
    input.vertices = text.names.size();
    statistics.build_seconds += static_cast<double>(machine::now_ns() - start) * 1e-9;
  }
  input.blocks = std::move(text.edges);
  return build(std::move(input), std::move(text.names), std::move(statistics), progress);
}

}  // namespace

graph read_edge_list(std::span<const std::byte> file, text_options text, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  text.begin = [&](std::string_view beginning, bool) {
    return begin_edge_list(beginning, text.path, options);
  };
  text_edges edges = read_text(file, text);
  graph_statistics statistics;
  statistics.format = edges.named ? "edge list of names" : "edge list";
  statistics.edges_read = edges.count;
  statistics.weights = edges.weights;
  statistics.load_seconds = static_cast<double>(machine::now_ns() - start) * 1e-9;
  return build_from(std::move(edges), options.how != direction::undirected, std::move(statistics),
                    options.progress);
}

}  // namespace gossamer::graph
