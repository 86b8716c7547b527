#include "gossamer/graph/formats/internal/vertex_list.hpp"

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {
namespace {

// Returns the format of lines with one field, which is both ends of an edge.
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
  // A name above what is none is the header of a column of ids.
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

}  // namespace gossamer::graph
