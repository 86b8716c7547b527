#include "gossamer/graph/formats/internal/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

/// Splits a line into words.
class words {
 public:
  explicit words(std::string_view line) : fields_(line, k_format) {}

  /// Returns the next word, or nothing at the end.
  std::string_view next() {
    io::delimited_field word;
    return fields_.next(word) ? word.text : std::string_view();
  }

 private:
  static constexpr io::delimited_format k_format{.quotes = false, .blanks = true};
  io::field_reader fields_;
};

std::optional<std::uint64_t> number(std::string_view word) {
  const io::parsed<std::uint64_t> n = io::parse_unsigned(word);
  return n.state == io::number_state::ok ? std::optional(n.value) : std::nullopt;
}

std::vector<std::string_view> lines_at_start(std::string_view text) {
  constexpr std::size_t k_most = 200;
  std::vector<std::string_view> all;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end && all.size() < k_most;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (!io::without_blanks(line).empty()) all.push_back(line);
  }
  return all;
}

/// Returns whether a text begins with lines "c ..." and then "p KIND n m", of an unsupported kind.
bool is_other_dimacs(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    words w(line);
    const std::string_view first = w.next();
    if (first == "c") continue;
    if (first != "p") return false;
    const std::string_view kind = w.next();
    const auto kinds = {"edge", "col", "min", "asn", "mat", "aux", "td", "tw", "ds", "ged"};
    return std::ranges::find(kinds, kind) != kinds.end() && number(w.next());
  }
  return false;
}

/// Returns whether lines "# NAME" repeatedly precede lines of one neighbour each.
bool is_lgl(const std::vector<std::string_view>& lines) {
  std::size_t heads = 0, neighbours = 0;
  for (const std::string_view line : lines) {
    words w(line);
    const std::string_view first = w.next();
    const std::string_view second = w.next(), third = w.next();
    if (!third.empty()) return false;
    if (first == "#") {
      if (second.empty() || (heads == 1 && neighbours == 0)) return false;
      ++heads;
    } else {
      if (heads == 0 || (!second.empty() && !is_number(second))) return false;
      ++neighbours;
    }
  }
  return heads >= 2 && neighbours >= 1;
}

/// Returns whether lines "NUMBER LABEL", each of another number and not all labels numbers, precede a line "#" alone, and lines of two of
/// the numbers follow it.
bool is_trivial_graph(std::string_view text) {
  std::set<std::uint64_t> vertices;
  bool has_label = false, in_edges = false;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    words w(line);
    const std::string_view first = w.next(), second = w.next();
    if (first == "#" && second.empty()) {
      if (in_edges || !has_label) return false;
      in_edges = true;
      continue;
    }
    const auto from = number(first);
    if (!from) return false;
    if (in_edges) {
      const auto to = number(second);
      return to && vertices.contains(*from) && vertices.contains(*to);
    }
    if (!vertices.insert(*from).second) return false;
    has_label |= !second.empty() && !is_number(second);
  }
  return false;
}

bool is_ucinet(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return false;
  words w(lines[0]);
  const std::string_view first = w.next(), second = w.next();
  return (first == "dl" || first == "DL") && (second.starts_with("n") || second.starts_with("N"));
}

/// Returns whether the comments are those that NetworkX writes above adjacency lists, and nothing else.
bool is_networkx_adjacency(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 3); ++i)
    if (lines[i].starts_with("# GMT ")) return true;
  return false;
}

/// A prefix that identifies a format.
struct beginning {
  std::string_view text;
  std::vector<std::string_view> lines;
};

struct foreign_form {
  std::string_view begins;  // prefix after blanks and line ends; or
  bool (*is)(const beginning& b);
  std::string_view name, advice = k_edges_as_text;
  bool unless_columns = true;  // if columns are requested it is an edge list nevertheless
};

constexpr foreign_form k_forms[] = {
    {"<?xml", nullptr, "XML (GraphML, GEXF)", k_edges_as_text, false},
    {"<graphml", nullptr, "GraphML", k_edges_as_text, false},
    {"<gexf", nullptr, "GEXF", k_edges_as_text, false},
    {"[", nullptr, "JSON", k_edges_as_text, false},
    {"digraph ", nullptr, "DOT", k_edges_as_text, false},
    {"strict graph ", nullptr, "DOT", k_edges_as_text, false},
    {"graph {", nullptr, "DOT", k_edges_as_text, false},
    {"graph [", nullptr, "GML", k_edges_as_text, false},
    {"nodedef>", nullptr, "GDF"},
    {{}, [](const beginning& b) { return is_other_dimacs(b.lines); }, "DIMACS of this kind"},
    {{}, [](const beginning& b) { return is_ucinet(b.lines); }, "UCINET (DL)"},
    {{}, [](const beginning& b) { return is_lgl(b.lines); }, "LGL"},
    {{}, [](const beginning& b) { return is_trivial_graph(b.text); }, "the Trivial Graph Format (TGF)"},
    {{},
     [](const beginning& b) { return is_networkx_adjacency(b.lines); },
     "an adjacency list of NetworkX",
     "write it by write_edgelist(data=False)"},
};

}  // namespace

void refuse_foreign_graphs(std::string_view text, const std::string& path, bool has_columns) {
  const beginning b{text, lines_at_start(text)};
  const std::string_view first = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const foreign_form& form : k_forms)
    if (!(has_columns && form.unless_columns) && (form.is ? form.is(b) : first.starts_with(form.begins)))
      throw error(fmt::format("{}: {} is not read: {}", path, form.name, form.advice));
}

}  // namespace gossamer::graph
