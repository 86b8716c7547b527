#include "gossamer/graph/formats/internal/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/compact.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

// The first lines that hold something, with the place of each in the text. The same ones however much of the
// text is there: one, and those behind it that end in its first kilobytes.
struct first_lines {
  struct one {
    std::string_view text;
    std::size_t begin = 0;
    std::uint64_t number = 0;
  };
  std::vector<one> lines;
  bool enough = false;
};

first_lines look(std::string_view text, bool whole) {
  constexpr std::size_t k_most = 10, k_bytes = 4096;
  first_lines found;
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  const char* at = text.data();
  while (at < end && found.lines.size() < k_most) {
    std::string_view line;
    const char* const next = take_line(at, end, line);
    const bool is_beyond = static_cast<std::size_t>(next - text.data()) > k_bytes;
    if (is_beyond && found.lines.size() >= 2) break;
    ++number;
    if (!is_skipped(line)) found.lines.push_back({line, static_cast<std::size_t>(at - text.data()), number});
    at = next;
  }
  found.enough = whole || found.lines.size() == k_most || (found.lines.size() >= 2 && text.size() >= k_bytes);
  return found;
}

// Usual names of columns -------------------------------------------------------------------------------

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> usual) {
  std::string lower;
  for (const char c : name)
    if (c != '_' && c != '-' && c != ' ' && c != '.' && c != ':')
      lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(usual, std::string_view(lower)) != usual.end();
}

bool is_source(std::string_view name) {
  return is_one_of(name, {"source", "src", "from", "sourceid", "srcid", "fromid", "fromnode", "fromnodeid",
                          "startid", "sourcenode", "node1", "node1id", "id1", "vertex1", "tail"});
}
bool is_target(std::string_view name) {
  return is_one_of(
      name, {"target", "tgt", "dst", "dest", "destination", "to", "targetid", "tgtid", "dstid", "toid",
             "tonode", "tonodeid", "endid", "targetnode", "node2", "node2id", "id2", "vertex2", "head"});
}
bool is_weight(std::string_view name) { return is_one_of(name, {"weight", "weights", "edgeweight"}); }

// What a first line is -----------------------------------------------------------------------------------

struct table {
  std::vector<std::string> header;  // empty: there is none
  std::array<std::uint32_t, 3> usual{k_no_column, k_no_column, k_no_column};  // by their names
  bool indexed = false;  // the first column counts rows
};

/// Returns whether the first line has no number and the lines that follow have only integers in the columns
/// of vertices.
bool integers_begin(const std::vector<std::string>& first, const first_lines& look, const line_format& format,
                    const std::vector<std::string>& asked) {
  std::size_t from = 0, to = 1;
  if (asked.size() >= 2 && is_integer(asked[0]) && is_integer(asked[1]) && asked[0].size() < 7 &&
      asked[1].size() < 7)
    from = std::stoul(asked[0]) - 1, to = std::stoul(asked[1]) - 1;
  if (look.lines.size() < 2 || std::max(from, to) >= first.size() || std::ranges::any_of(first, is_number))
    return false;
  for (std::size_t i = 1; i < look.lines.size(); ++i) {
    const auto fields = fields_of(look.lines[i].text, format);
    if (fields.size() != first.size() || !is_integer(fields[from]) || !is_integer(fields[to])) return false;
  }
  return true;
}

table look_for_header(const first_lines& look, const line_format& format, const load_options& options) {
  table t;
  const auto fields = fields_of(look.lines[0].text, format);
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    if (t.usual[0] == k_no_column && is_source(fields[i])) t.usual[0] = i;
    if (t.usual[1] == k_no_column && is_target(fields[i])) t.usual[1] = i;
    if (t.usual[2] == k_no_column && is_weight(fields[i])) t.usual[2] = i;
  }
  const bool is_usual = t.usual[0] != k_no_column && t.usual[1] != k_no_column;
  t.indexed = fields.size() >= 3 && fields[0].empty() && !fields[1].empty();
  const auto named = [](const std::string& column) { return !is_integer(column); };
  bool found = options.table.header == header_mode::present;
  if (options.table.header == header_mode::by_input)
    found = is_usual || t.indexed || std::ranges::any_of(options.table.columns, named) ||
            (options.vertices != label_mode::names &&
             integers_begin(fields, look, format, options.table.columns)) ||
            (fields.size() == 3 && is_weight(fields[2]));
  if (!found) return {};
  t.header = fields;
  return t;
}

// Columns ------------------------------------------------------------------------------------------------

std::uint32_t find_column(const std::string& wanted, const table& t, const std::string& path) {
  constexpr std::uint32_t k_most = 1'000'000;
  if (const auto at = std::ranges::find(t.header, wanted); at != t.header.end())
    return static_cast<std::uint32_t>(at - t.header.begin());
  if (is_integer(wanted)) {
    const std::uint64_t number = wanted.size() > 7 ? 0 : std::stoull(wanted);
    if (number >= 1 && number <= k_most && (t.header.empty() || number <= t.header.size()))
      return static_cast<std::uint32_t>(number - 1);
    throw error(fmt::format("{}: expected a column from 1 to {}, found {}", path,
                            t.header.empty() ? k_most : t.header.size(), in_quotes(wanted)));
  }
  if (t.header.empty())
    throw error(fmt::format("{}: the column {} is asked for by name, but there is no header: use its number",
                            path, in_quotes(wanted)));
  std::string all;
  for (const std::string& name : t.header) all += (all.empty() ? "" : ", ") + in_quotes(name);
  throw error(fmt::format("{}: the header has no column {}; it has {}", path, in_quotes(wanted), all));
}

std::string tell_columns(const line_format& format, const table& t) {
  std::string all;
  for (const std::uint32_t c : format.column) {
    if (c == k_no_column) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", c + 1);
    if (c < t.header.size()) all += " (" + t.header[c] + ")";
  }
  return all;
}

/// Returns the names of columns that may be weights, with commas between them: they are no vertices, and have a number in each of the
/// first lines.
std::string numbers_left_out(const line_format& format, const table& t, const first_lines& look,
                             const line_format& data) {
  std::string all;
  for (std::uint32_t c = 0; c < t.header.size(); ++c) {
    if (c == format.column[0] || c == format.column[1] || (t.indexed && c == 0)) continue;
    bool is_numbers = look.lines.size() > 1;
    for (std::size_t i = 1; i < look.lines.size() && is_numbers; ++i) {
      const auto fields = fields_of(look.lines[i].text, data);
      is_numbers = c < fields.size() && is_number(fields[c]);
    }
    if (is_numbers) all += (all.empty() ? "" : ", ") + t.header[c];
  }
  return all;
}

void choose_columns(line_format& format, const table& t, const load_options& options,
                    const std::string& path) {
  const auto& asked = options.table.columns;
  const bool is_usual = t.usual[0] != k_no_column && t.usual[1] != k_no_column;
  if (!asked.empty()) {
    format.column[2] = k_no_column;
    for (std::size_t i = 0; i < asked.size(); ++i) format.column[i] = find_column(asked[i], t, path);
    format.picks = true;
    if (format.column[0] == format.column[1])
      throw error(fmt::format("{}: source and target are the same column, {}", path, in_quotes(asked[1])));
  } else if (!t.header.empty() && is_usual) {
    format.column = t.usual;
    const auto columns = t.header.size();
    format.picks = format.column[0] != 0 || format.column[1] != 1 || columns > 3 ||
                   (columns == 3 && format.column[2] != 2);
  } else if (!t.header.empty() && t.indexed && t.header.size() <= 4) {
    format.column = {1, 2, t.header.size() == 4 ? 3 : k_no_column};
    format.picks = true;
  }
}

void choose_keys(line_format& format, const load_options& options, const std::string& path) {
  const auto& asked = options.table.columns;
  if (asked.empty())
    throw error(path +
                ": looks like JSON: say which keys of each line are the vertices, as --columns SOURCE,TARGET"
                " (or write its edges as text, \"source target\" a line)");
  for (std::size_t i = 0; i < asked.size(); ++i) format.key[i] = asked[i];
}

line_format format_of(std::string_view line, const load_options& options) {
  const bool names = options.vertices == label_mode::names;
  line_format format = guess_format(line, names);
  if (options.table.separator != '\0' && format.between != separator::json) {
    format.between = options.table.separator == ' ' ? separator::blanks : separator::character;
    format.usual = options.table.separator;
  }
  format.integers_only = options.vertices == label_mode::integers;
  return format;
}

// Returns the format of the data behind a header. A header may have another separator than the data, or none.
line_format format_behind_header(const line_format& header, std::string_view line,
                                 const load_options& options) {
  line_format format = format_of(line, options);
  if (header.between != separator::character || line.find(header.usual) == std::string_view::npos)
    return format;
  format.between = header.between;
  format.usual = header.usual;
  return format;
}

}  // namespace

preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options) {
  const std::size_t columns = options.table.columns.size();
  if (columns == 1 || columns > 3)
    throw error(
        fmt::format("{}: expected columns of source, target and perhaps weight, found {}", path, columns));
  check_no_lost_banner(text, path);
  preamble p;
  const first_lines first = look(text, whole);
  if (first.lines.empty() || !first.enough) return p;
  p.format = format_of(first.lines[0].text, options);
  std::size_t data = 0;
  if (p.format.between == separator::json) {
    choose_keys(p.format, options, path);
  } else {
    const table t = look_for_header(first, p.format, options);
    choose_columns(p.format, t, options, path);
    if (!t.header.empty()) {
      p.header = first.lines[0].text;
      data = 1;
      if (options.table.columns.empty() && first.lines.size() > 1) {
        const line_format behind =
            p.format.picks ? p.format : format_behind_header(p.format, first.lines[1].text, options);
        p.left_out = numbers_left_out(p.format, t, first, behind);
      }
    }
    if (p.format.picks) p.columns = tell_columns(p.format, t);
  }
  if (data == first.lines.size()) return p;  // nothing but a header
  if (data == 1 && !p.format.picks) p.format = format_behind_header(p.format, first.lines[1].text, options);
  const bool names = options.vertices == label_mode::names;
  const auto& line = first.lines[data];
  line_scratch scratch;
  const scanned_line found = scan_line(line.text, p.format, names, scratch);
  if (found.what != problem::none && found.what != problem::name && found.what != problem::wide)
    fail_at(path, line.number, describe(found.what, found.culprit, p.format));
  p.names = names || found.what == problem::name;
  p.names_allowed = options.vertices == label_mode::by_input;
  p.found = true;
  p.bytes = line.begin;
  return p;
}

namespace {

// Builds a graph from the edges of a text. Takes dense ranges of ids as they are, and others through tables.
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
    statistics.build_seconds += machine::seconds_since(start);
  }
  input.blocks = std::move(text.edges);
  return build(std::move(input), std::move(text.names), std::move(statistics), progress);
}

}  // namespace

graph read_edge_list(std::span<const std::byte> file, text_options text, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  text.begin = [&](std::string_view beginning, bool whole) {
    return begin_edge_list(beginning, whole, text.path, options);
  };
  text_edges edges = read_text(file, text);
  graph_statistics statistics;
  statistics.format = edges.named ? "edge list of names" : "edge list";
  statistics.header = edges.header;
  statistics.columns = edges.columns;
  statistics.left_out = edges.left_out;
  statistics.edges_read = edges.count;
  statistics.weights = edges.weights;
  statistics.load_seconds = machine::seconds_since(start);
  return build_from(std::move(edges), options.how != direction::undirected, std::move(statistics),
                    options.progress);
}

}  // namespace gossamer::graph
