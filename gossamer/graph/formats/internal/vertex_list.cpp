#include "gossamer/graph/formats/internal/vertex_list.hpp"

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {
namespace {

// Returns the format of lines with one field, which is both ends of an edge.
line_format vertex_format(const load_options& options) {
  line_format format;
  format.between = separator::character;
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
  const char* const end = text.data() + text.size();
  const char* first = nullptr;  // the first line with a vertex
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    const char* const begin = at;
    at = take_line(at, end, line);
    const scanned_line found = scan_line(line, p.format, names, scratch);
    if (found.skip) continue;
    const bool is_name = asks_for_names(found.what);
    if (!first && is_name && found.what != problem::zeros) {  // a name, or the header of a column of ids
      first = begin;
      p.header = line;
      continue;
    }
    const bool below_header = first && !is_name;
    if (!below_header) p.header.clear();
    p.bytes = static_cast<std::size_t>((first && !below_header ? first : begin) - text.data());
    p.names = names || is_name;
    p.found = true;
    break;
  }
  if (!p.found && first && whole) {  // one name
    p.header.clear();
    p.bytes = static_cast<std::size_t>(first - text.data());
    p.names = p.found = true;
  }
  p.names_allowed = options.vertices == label_mode::by_input;
  return p;
}

text_edges read_vertices(const load_options& options, bool names) {
  const std::string& path = options.table.vertices;
  if (path.empty()) return {};
  const machine::mapped_file file(path);
  if (file.bytes().empty()) throw error(path + " is empty: expected a vertex a line");
  text_options text;
  text.path = path;
  text.names = names;
  text.begin = [&options, names](std::string_view beginning, bool whole) {
    return begin_vertices(beginning, whole, options, names);
  };
  text_edges vertices = read_text(file.bytes(), text);
  if (!vertices.header.empty())
    vertices.notes.push_back("the first line of --vertices is taken for a header: " +
                             in_quotes(vertices.header));
  return vertices;
}

}  // namespace gossamer::graph
