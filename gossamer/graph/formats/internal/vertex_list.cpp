#include "gossamer/graph/formats/internal/vertex_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {
namespace {

// Returns the format of lines with one field, used as both ends of an edge.
line_format vertex_format(const load_options& options) {
  line_format format;
  format.cut = {.separator = '\n', .quotes = options.table.quotes, .trims = true};
  format.usual = '\n';
  format.picks = true;
  format.column = {0, 0, k_no_column};
  format.integers_only = options.vertices == label_mode::integers;
  format.comments = options.table.comments ? comment_rule::bare : comment_rule::none;
  format.nulls = options.table.nulls;
  return format;
}

/// Returns whether a file is OGB's with the number of nodes of a graph, "num-node-list.csv.gz".
bool is_count_of_nodes(std::string_view path) {
  const std::size_t folder = path.find_last_of('/');
  return path.substr(folder == std::string_view::npos ? 0 : folder + 1).starts_with("num-node-list.");
}

/// Returns the vertices from 0 on, as many as such a file says.
text_edges counted_vertices(const io::text_file& file, bool names) {
  constexpr std::size_t k_most_text = 64;
  const std::string text = file.beginning(k_most_text);
  std::string_view number = text;
  while (!number.empty() && (number.back() == '\n' || number.back() == '\r')) number.remove_suffix(1);
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (problem != std::errc{} || end != number.data() + number.size() || count == 0 || count > k_no_vertex)
    throw error(fmt::format("{}:1: expected the number of vertices of one graph, found {}", file.name(),
                            in_quotes(number.substr(0, number.find('\n')))));
  if (names)
    throw error(file.name() +
                ": expected vertices that are integers from 0 on, as it counts them, found names");
  machine::require_memory(count * sizeof(edge), "the list of vertices");
  text_edges all;
  edge_block<edge> block{buffer<edge>(count), count};
  for (std::uint64_t v = 0; v < count; ++v)
    block.edges()[v] = {static_cast<vertex_id>(v), static_cast<vertex_id>(v)};
  all.edges.push_back(std::move(block));
  all.count = count;
  all.highest = count - 1;
  return all;
}

}  // namespace

preamble begin_vertices(std::string_view text, bool whole, const load_options& options, bool names) {
  preamble p;
  p.format = vertex_format(options);
  names = names || options.vertices == label_mode::names;
  line_scratch scratch;
  const auto scan = [&](std::string_view line) { return scan_line(line, p.format, names, scratch); };
  const io::head_lines head =
      io::read_head(text, whole, [&](std::string_view line) { return scan(line).skip; });
  if (head.lines.empty() || (head.lines.size() == 1 && !whole)) return p;
  const problem first = scan(head.lines[0].text).what;
  // A name above a line that is no name is the header of a column of ids.
  const bool is_header = asks_for_names(first) && first != problem::zeros && head.lines.size() > 1 &&
                         !asks_for_names(scan(head.lines[1].text).what);
  if (is_header) p.header = head.lines[0].text;
  p.bytes = is_header ? head.lines[0].end : head.lines[0].begin;
  p.names = names || (asks_for_names(first) && !is_header);
  p.found = true;
  p.names_allowed = options.vertices == label_mode::by_input;
  return p;
}

text_edges read_vertices(const load_options& options, bool names) {
  const std::string& path = options.table.vertices;
  if (path.empty()) return {};
  const io::text_file file(std::make_shared<const machine::mapped_file>(path));
  if (file.bytes().empty()) throw error(path + " is empty: expected a vertex a line");
  if (is_count_of_nodes(path)) return counted_vertices(file, names || options.vertices == label_mode::names);
  text_options text;
  text.names = names;
  text.begin = [&options, names](std::string_view beginning, bool whole) {
    return begin_vertices(beginning, whole, options, names);
  };
  text_edges vertices = read_text(file, text);
  if (!vertices.header.empty())
    vertices.notes.push_back("the first line of --vertices is taken for a header: " +
                             in_quotes(vertices.header));
  return vertices;
}

void check_counted_vertices(const load_options& options, std::uint64_t counted, std::uint64_t highest,
                            std::string_view edges) {
  if (is_count_of_nodes(options.table.vertices) && highest >= counted)
    throw error(fmt::format("{}: expected ids below {}, the number of vertices of {}, found {}", edges,
                            counted, options.table.vertices, highest));
}

}  // namespace gossamer::graph
