// Infers the format of a text edge list from its first lines: separator, header, columns, names or integers,
// direction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/comments.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/foreign_formats.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/schema_inference.hpp"

namespace gossamer::graph {

namespace {

/// Returns whether a line that looks like a comment has two vertices with the same marker, as "#cats,#dogs".
bool has_marked_vertices(std::string_view line) {
  const char marker = line[0];
  const auto is_marked = [marker](std::string_view field) {
    const std::size_t at = field.find_first_not_of(" \t\"");
    return at + 1 < field.size() && field[at] == marker && field[at + 1] != marker && field[at + 1] != ' ' &&
           field[at + 1] != '\t';
  };
  const std::size_t between = line.find_first_of(line.find_first_of("\t,;") == line.npos ? " " : "\t,;");
  return between != line.npos && is_marked(line.substr(0, between)) && is_marked(line.substr(between + 1));
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

// Kinds of first lines -----------------------------------------------------------------------------------

struct table {
  std::vector<std::string> header;  // empty: there is none
  std::array<std::uint32_t, 3> usual{k_no_column, k_no_column, k_no_column};  // by usual names
  bool indexed = false;  // the first column numbers the rows
  bool named_rows = false;  // the same, and the header has no field for it
};

/// Returns the first columns with usual names.
std::array<std::uint32_t, 3> usual_columns(const std::vector<std::string>& names) {
  constexpr bool (*k_is[])(std::string_view) = {is_source, is_target, is_weight};
  std::array<std::uint32_t, 3> columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto found = std::ranges::find_if(names, k_is[k]);
    columns[k] = found == names.end() ? k_no_column : static_cast<std::uint32_t>(found - names.begin());
  }
  return columns;
}

io::field_rows rows_of(const io::head_lines& head, const line_format& format) {
  io::field_rows all;
  for (std::size_t i = 1; i < head.lines.size(); ++i) all.push_back(fields_of(head.lines[i].text, format));
  return all;
}

/// Returns whether all rows have this number of fields.
bool have_width(const io::field_rows& rows, std::size_t width) {
  return !rows.empty() && std::ranges::all_of(rows, [=](const auto& row) { return row.size() == width; });
}

/// Returns whether a column has a number in a row, and a number or a null in every row.
bool is_all_numbers(const io::field_rows& rows, std::size_t column, std::span<const std::string> nulls) {
  const auto has_number = [=](const auto& row) { return column < row.size() && is_number(row[column]); };
  const auto has_null = [=](const auto& row) {
    return column < row.size() && std::ranges::find(nulls, row[column]) != nulls.end();
  };
  return std::ranges::any_of(rows, has_number) &&
         std::ranges::all_of(rows, [&](const auto& row) { return has_number(row) || has_null(row); });
}

/// Returns whether the first value of a column is no number, or all of its fields are empty.
bool begins_with_text(const io::field_rows& rows, std::size_t column, std::span<const std::string> nulls) {
  bool has_null = false;
  for (const auto& row : rows) {
    const bool is_null = std::ranges::find(nulls, row[column]) != nulls.end();
    if (!is_null && !row[column].empty()) return !is_number(row[column]);
    has_null |= is_null;
  }
  return !has_null;
}

/// Returns whether the first line has no number and the lines that follow have only integers in the columns
/// of vertices, or have no such columns.
bool integers_begin(const std::vector<std::string>& first, const io::field_rows& data,
                    const table_options& table) {
  const auto& asked = table.columns;
  std::size_t from = 0, to = 1;
  if (asked.size() >= 2 && is_integer(asked[0]) && is_integer(asked[1]) && asked[0].size() < 7 &&
      asked[1].size() < 7)
    from = std::stoul(asked[0]) - 1, to = std::stoul(asked[1]) - 1;
  if (data.empty() || std::max(from, to) >= first.size() || std::ranges::any_of(first, is_number))
    return false;
  const bool named = data[0].size() == first.size() + 1;  // rows begin with row names
  if (named && asked.empty()) ++from, ++to;
  const io::column_type types[] = {io::type_of(data, from, table.nulls), io::type_of(data, to, table.nulls)};
  return have_width(data, first.size() + named) && std::ranges::max(types) != io::column_type::text &&
         std::ranges::max(types) != io::column_type::missing;
}

/// Returns whether the third column has numbers below the first line, and a title in it.
bool weights_begin(const std::vector<std::string>& first, const io::field_rows& data,
                   std::span<const std::string> nulls) {
  return first.size() == 3 && have_width(data, 3) && is_all_numbers(data, 2, nulls) &&
         io::type_of(first[2], nulls) == io::column_type::text &&
         !(is_integer(first[0]) && is_integer(first[1]));  // an edge whose weight is misspelt
}

/// Returns whether each row has one field more than the header.
bool has_longer_rows(const std::vector<std::string>& header, const io::field_rows& data) {
  return header.size() >= 2 && have_width(data, header.size() + 1) &&
         std::ranges::none_of(data, [](const auto& row) { return row.back().empty(); });
}

/// Returns whether the first fields of rows are row names, as R writes them: they count from 0 or 1, or are
/// quoted, or are no numbers while the next two are.
bool are_row_names(const io::head_lines& look, const io::field_rows& data) {
  bool counts = true, quoted = true, names = true;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const bool is_fraction = is_number(data[i][2]) && !is_integer(data[i][2]);
    counts =
        counts && (data[i][0] == std::to_string(i) || data[i][0] == std::to_string(i + 1)) && !is_fraction;
    quoted = quoted && look.lines[i + 1].text.starts_with('"');
    names = names && !is_number(data[i][0]) && is_integer(data[i][1]) && is_integer(data[i][2]);
  }
  return counts || quoted || names;
}

table find_header(const io::head_lines& look, const io::field_rows& data, const line_format& format,
                  const line_format& below, const load_options& options, const std::string& path) {
  table t;
  const auto& asked = options.table.columns;
  auto fields = fields_of(look.lines[0].text, format);
  t.usual = usual_columns(fields);
  const bool is_usual = t.usual[0] != k_no_column && t.usual[1] != k_no_column;
  t.indexed = fields.size() >= 3 && fields[0].empty() && !fields[1].empty();
  const auto named = [](const std::string& column) { return !is_integer(column); };
  bool found = options.table.header == header_mode::present;
  if (options.table.header == header_mode::by_input)
    found = is_usual || t.indexed || std::ranges::any_of(asked, named) ||
            (options.vertices != label_mode::names && integers_begin(fields, data, options.table)) ||
            (asked.empty() && weights_begin(fields, data, options.table.nulls)) ||
            (fields.size() == 3 && is_weight(fields[2]));
  if (!found) return {};
  if (format.cut == below.cut && has_longer_rows(fields, data)) {
    if (are_row_names(look, data)) {
      fields.insert(fields.begin(), std::string());
      t.indexed = t.named_rows = true;
      t.usual = usual_columns(fields);
    } else if (asked.empty() || std::ranges::any_of(asked, named)) {
      fail_at(path, look.lines[1].number,
              fmt::format("expected {} fields, as the header has, found {}: --columns takes columns by their "
                          "numbers, --no-header line 1 for an edge",
                          fields.size(), in_quotes(look.lines[1].text)));
    }
  }
  t.header = fields;
  return t;
}

// Columns ------------------------------------------------------------------------------------------------

std::string describe_columns(const line_format& format, const table& t) {
  std::string all;
  for (const std::uint32_t c : format.column) {
    if (c == k_no_column) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", c + 1);
    if (c < t.header.size()) all += " (" + t.header[c] + ")";
  }
  return all;
}

/// Returns the names of columns that may be weights, separated by commas: they are no vertices, and have a
/// number in each of the first lines.
std::string numbers_left_out(const line_format& format, const table& t, const io::field_rows& rows,
                             std::span<const std::string> nulls) {
  std::string all;
  for (std::uint32_t c = 0; c < t.header.size(); ++c) {
    if (c == format.column[0] || c == format.column[1] || (t.indexed && c == 0)) continue;
    if (is_all_numbers(rows, c, nulls)) all += (all.empty() ? "" : ", ") + t.header[c];
  }
  return all;
}

void choose_columns(line_format& format, const table& t, const io::field_rows& rows,
                    const load_options& options, const std::string& path) {
  const auto& asked = options.table.columns;
  const bool is_usual = t.usual[0] != k_no_column && t.usual[1] != k_no_column;
  if (!asked.empty()) {
    format.column[2] = k_no_column;
    for (std::size_t i = 0; i < asked.size(); ++i)
      format.column[i] = io::find_column(asked[i], t.header, path);
    format.picks = true;
    if (format.column[0] == format.column[1])
      throw error(fmt::format("{}: source and target are the same column, {}", path, in_quotes(asked[1])));
  } else if (!t.header.empty() && is_usual) {
    format.column = t.usual;
    const auto columns = t.header.size();
    format.picks = format.column[0] != 0 || format.column[1] != 1 || columns > 3 ||
                   (columns == 3 && format.column[2] != 2);
  } else if (!t.header.empty() && t.indexed && t.header.size() <= 4) {
    const bool has_weight =
        t.header.size() == 4 && !(have_width(rows, 4) && begins_with_text(rows, 3, options.table.nulls));
    format.column = {1, 2, has_weight ? 3 : k_no_column};
    format.picks = true;
  } else if (t.header.size() == 3 && have_width(rows, 3) && begins_with_text(rows, 2, options.table.nulls)) {
    format.column = {0, 1, k_no_column};
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

/// Returns whether tabs separate a line. Then fields contain blanks or commas, or are names.
bool is_tabbed(std::string_view line, const line_format& format) {
  if (line.find('\t') == std::string_view::npos) return false;
  const io::delimited_format tabs{.separator = '\t', .quotes = format.cut.quotes, .trims = true};
  io::field_reader fields(line, tabs);
  bool all_numbers = true;
  for (io::delimited_field f; fields.next(f);) {
    if (!f.quoted && (f.text.starts_with(',') || f.text.ends_with(','))) return false;
    all_numbers = all_numbers && is_number(f.text);
  }
  return format.any_name || !all_numbers || fields.fault();
}

/// Returns the format of lines like this one: according to the options, otherwise tabs, or the result of
/// io::infer_separator(), or blanks. A bar separates only if none of these occurs, because names contain
/// bars.
line_format format_of(std::string_view line, const load_options& options) {
  line_format format;
  format.any_name = options.vertices == label_mode::names;
  format.integers_only = options.vertices == label_mode::integers;
  format.advises = true;
  format.nulls = options.table.nulls;
  format.weights = rule_of(options.weights);
  format.cut.quotes = options.table.quotes;
  if (!options.table.comments) format.comments = comment_rule::none;
  format.json = io::without_blanks(line).starts_with('{');
  if (format.json) return format;
  const auto infer = [&](std::string_view candidates) {
    return io::infer_separator(io::without_blanks(line), candidates, format.cut.quotes);
  };
  const auto blank = infer(" \t");
  char separator = options.table.separator;
  if (separator == '\0')
    separator = is_tabbed(line, format) ? '\t' : infer(blank ? ";," : ";,|").value_or(' ');
  format.cut.blanks = separator == ' ';
  if (!format.cut.blanks)
    format.cut.separator = format.usual = separator;
  else if (blank)
    format.usual = *blank;
  return format;
}

// Returns the format of the data after a header. A header may have another separator than the data, or none.
line_format format_behind_header(const line_format& header, std::string_view line,
                                 const load_options& options) {
  line_format format = format_of(line, options);
  if (header.cut.blanks || line.find(header.usual) == std::string_view::npos) return format;
  format.cut = header.cut;
  format.usual = header.usual;
  return format;
}

// Notes -----------------------------------------------------------------------------------------------------

/// Adds a note about comments with as many fields as the edges: they may be edges of names such as #cats.
void note_comments_like(const io::head_lines& first, const line_format& format, std::size_t fields,
                        preamble& p) {
  for (const std::string_view line : first.comments) {
    const std::string_view behind = line.substr(line.starts_with("//") ? 2 : 1);
    if (behind.empty() || behind[0] == ' ' || behind[0] == '\t' || behind[0] == line[0]) continue;
    const bool tabbed = format.usual == '\t' && line.find('\t') != line.npos;
    if (format.cut.blanks && !tabbed) continue;  // words of a sentence
    if (fields_of(line, format).size() != fields) continue;
    p.notes.push_back(fmt::format("{} is taken for a comment, as it begins with {}: --no-comments reads it",
                                  in_quotes(line), line.substr(0, line.size() - behind.size())));
    return;
  }
}

/// Sets the direction of all edges from the comments and the column Type.
void take_direction(const io::field_rows& rows, const table& t, const load_options& options,
                    const comment_facts& said, preamble& p) {
  std::string by = said.undirected;
  for (std::size_t c = 0; c < t.header.size() && by.empty(); ++c) {
    if (!is_one_of(t.header[c], {"type"})) continue;
    const auto is_undirected = [c](const auto& row) {
      return c < row.size() && is_one_of(row[c], {"undirected"});
    };
    if (!rows.empty() && std::ranges::all_of(rows, is_undirected)) by = t.header[c] + ": Undirected";
  }
  p.undirected = !by.empty();
  if (p.undirected && options.how == direction::by_input)
    p.notes.push_back(fmt::format(
        "edges are undirected, as the file says ({}): --directed follows them one way", in_quotes(by)));
}

/// Treats sources and targets as different vertices.
void take_bipartite(const comment_facts& said, const std::string& path, preamble& p) {
  if (said.left == 0)
    throw error(path +
                ": expected the number of sources of a bipartite graph of KONECT, as \"% EDGES SOURCES "
                "TARGETS\" below \"% bip\"");
  p.left_vertices = said.left;
  p.notes.push_back(fmt::format(
      "sources and targets are different vertices, as the file says (% bip): target 1 is {}", said.left + 1));
}

}  // namespace

preamble begin_edge_list(std::string_view text, bool whole, const std::string& path,
                         const load_options& options) {
  const auto& asked = options.table.columns;
  const std::size_t columns = asked.size();
  if (columns == 1 || columns > 3)
    throw error(
        fmt::format("{}: expected columns of source, target and perhaps weight, found {}", path, columns));
  check_no_lost_banner(text, path);
  refuse_foreign_graphs(text, path, !asked.empty());
  preamble p;
  const comment_rule rule = options.table.comments ? comment_rule::any : comment_rule::none;
  const io::head_lines first = io::read_head(text, whole, [rule](std::string_view line) {
    return is_comment(line, rule) && !has_marked_vertices(line);
  });
  if (first.lines.empty() || !first.enough) return p;
  const comment_facts said = read_comments(first.comments);
  p.comments = first.comments_before;
  p.format = format_of(first.lines[0].text, options);
  std::size_t data = 0;
  table t;
  if (p.format.json) {
    choose_keys(p.format, options, path);
  } else {
    const bool more = first.lines.size() > 1;
    line_format below = more ? format_behind_header(p.format, first.lines[1].text, options) : p.format;
    const io::field_rows rows = rows_of(first, p.format);
    t = find_header(first, rows, p.format, below, options, path);
    choose_columns(p.format, t, rows, options, path);
    if (!t.header.empty()) {
      p.header = first.lines[0].text;
      data = 1;
      if (p.format.picks) below = p.format;
      if (asked.empty() && more)
        p.left_out = numbers_left_out(p.format, t, rows_of(first, below), options.table.nulls);
      p.format = below;
    } else if (asked.empty() && said.konect && fields_of(first.lines[0].text, p.format).size() == 4) {
      p.format.column = {0, 1, 2};
      p.format.picks = true;
    }
    if (p.format.picks) p.columns = describe_columns(p.format, t);
    if (t.named_rows)
      p.notes.emplace_back(
          "rows have one field more than the header: they begin with names of rows, which are left out; "
          "--columns takes columns by their numbers");
  }
  if (data == first.lines.size()) return p;  // the text consists of a header
  const auto& line = first.lines[data];
  if (!p.format.json) {
    const std::size_t fields = fields_of(line.text, p.format).size();
    note_comments_like(first, p.format, fields, p);
    take_direction(rows_of(first, p.format), t, options, said, p);
    if (said.bipartite) take_bipartite(said, path, p);
  }
  const bool names = options.vertices == label_mode::names;
  line_scratch scratch;
  line_format strict = p.format;  // names that look like comments are not comments here
  strict.comments = std::min(strict.comments, comment_rule::bare);
  if (!strict.picks && !strict.json) strict.weights = weight_rule::number;  // determined below
  const scanned_line found = scan_line(line.text, strict, names, scratch);
  if (found.what != problem::none && !asks_for_names(found.what) && found.what != problem::wide)
    fail_at(path, line.number, describe(found.what, found.culprit, p.format));
  // If all lines have two fields, or all have three.
  if (!p.format.picks && !p.format.json)
    p.format.least_columns = p.format.most_columns = fields_of(line.text, p.format).size() > 2 ? 3 : 2;
  p.names = names || asks_for_names(found.what);
  p.names_allowed = options.vertices == label_mode::by_input;
  if (found.what == problem::zeros) p.notes.emplace_back(k_zeros_note);
  if (p.left_vertices != 0) p.names_allowed = false;
  p.has_no_header =
      p.names && data == 0 && !said.written_here && options.table.header == header_mode::by_input;
  if (p.names && p.left_vertices != 0)
    fail_at(path, line.number,
            "expected integers in a bipartite graph of KONECT, found " + in_quotes(line.text));
  p.found = true;
  p.bytes = data == 0 ? line.begin : first.lines[0].end;
  return p;
}

}  // namespace gossamer::graph
