#include "gossamer/graph/formats/internal/vertex_list.hpp"

#include <algorithm>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"
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

// Names, and what their labels refer to.
struct kept_names {
  std::vector<std::uint64_t> offsets{0};
  std::string bytes;
};

labels labels_of(const name_dictionary& all) {
  auto kept = std::make_shared<kept_names>();
  kept->bytes.reserve(all.text_bytes());
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    kept->bytes += all.name(i);
    kept->offsets.push_back(kept->bytes.size());
  }
  return labels::strings(kept->offsets, kept->bytes, kept);
}

// Numbers the vertices among the names of the edges. New ones follow, as they come.
void join_names(text_edges& edges, text_edges& vertices) {
  constexpr std::uint64_t k_behind_all = std::uint64_t{1} << 63;  // places in any text
  const bool has_positions = !edges.positions.empty() || edges.names.size() == 0;
  name_dictionary all;
  for (std::uint64_t v = 0; v < edges.names.size(); ++v)
    (void)all.number(edges.names.text(static_cast<vertex_id>(v)), v);
  std::vector<vertex_id> number;
  for (std::uint64_t v = 0; v < vertices.names.size(); ++v) {
    const std::uint64_t before = all.size();
    number.push_back(all.number(vertices.names.text(static_cast<vertex_id>(v)), k_behind_all + v));
    if (has_positions && all.size() != before) edges.positions.push_back(k_behind_all + v);
  }
  if (all.size() != edges.names.size()) edges.names = labels_of(all);
  for (const auto& block : vertices.edges)
    for (edge& e : block.edges()) e = {number[e.from], number[e.to]};
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

void add_vertices(text_edges& edges, text_edges vertices) {
  if (edges.named && vertices.count != 0) join_names(edges, vertices);
  for (auto& block : vertices.edges) edges.edges.push_back(std::move(block));
  for (auto& block : vertices.wide) edges.wide.push_back(std::move(block));
  edges.count += vertices.count;
  edges.highest = std::max(edges.highest, vertices.highest);
}

}  // namespace gossamer::graph
