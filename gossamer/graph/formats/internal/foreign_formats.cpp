#include "gossamer/graph/formats/internal/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

/// The words of a line, one after the other.
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

/// Returns whether lines "c ..." and then "p KIND n m" begin the text.
bool is_dimacs(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    words w(line);
    const std::string_view first = w.next();
    if (first == "c") continue;
    if (first != "p") return false;
    const std::string_view kind = w.next();
    const auto kinds = {"sp", "edge", "col", "max", "min", "asn", "mat", "aux", "td", "tw", "ds", "ged"};
    return std::ranges::find(kinds, kind) != kinds.end() && number(w.next());
  }
  return false;
}

/// Returns whether "# NAME" heads lines of one neighbour each, again and again.
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

bool is_ucinet(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return false;
  words w(lines[0]);
  const std::string_view first = w.next(), second = w.next();
  return (first == "dl" || first == "DL") && (second.starts_with("n") || second.starts_with("N"));
}

/// Returns whether the comments are those that NetworkX writes above adjacency lists, and above no others.
bool is_networkx_adjacency(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 3); ++i)
    if (lines[i].starts_with("# GMT ")) return true;
  return false;
}

/// Returns whether bytes are a serialized graph of GAP with weights: as .sg, with 8 bytes for each arc.
bool is_weighted_serialized(std::string_view bytes) {
  if (bytes.size() < 17 || static_cast<unsigned char>(bytes[0]) > 1) return false;
  std::uint64_t arcs = 0, vertices = 0;
  std::memcpy(&arcs, bytes.data() + 1, sizeof arcs);
  std::memcpy(&vertices, bytes.data() + 9, sizeof vertices);
  if (arcs > bytes.size() || vertices > bytes.size()) return false;
  const std::uint64_t sides = bytes[0] == 1 ? 2 : 1;
  return bytes.size() == 17 + sides * (8 * (vertices + 1) + 8 * arcs);
}

/// The first line of METIS: the numbers of vertices and edges, and which weights are there.
struct metis_header {
  std::uint64_t vertices = 0, edges = 0, vertex_weights = 0;
  bool sizes = false, edge_weights = false;
};

std::optional<metis_header> read_metis_header(std::string_view line) {
  words w(line);
  const auto vertices = number(w.next()), edges = number(w.next());
  if (!vertices || !edges || *vertices == 0) return std::nullopt;
  metis_header h{*vertices, *edges};
  if (const std::string_view form = w.next(); !form.empty()) {
    if (form.size() > 3 || form.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
    const auto has = [form](std::size_t place) {
      return form.size() >= place && form[form.size() - place] == '1';
    };
    h.edge_weights = has(1);
    h.vertex_weights = has(2);
    h.sizes = has(3);
    if (const std::string_view count = w.next(); !count.empty()) {
      const auto weights = number(count);
      if (!weights || *weights > 100) return std::nullopt;
      h.vertex_weights = *weights;
    }
  }
  if (!w.next().empty()) return std::nullopt;
  return h;
}

}  // namespace

bool is_metis(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::optional<metis_header> h;
  std::uint64_t vertex = 0, ends = 0, both = 0;
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (line.starts_with('%')) continue;
    if (!h) {
      h = read_metis_header(line);
      if (!h) return false;
      continue;
    }
    words w(line);
    std::string_view word = w.next();
    if (++vertex > h->vertices) {
      if (!word.empty()) return false;
      continue;
    }
    for (std::uint64_t i = 0; i < h->vertex_weights + h->sizes; ++i, word = w.next())
      if (!number(word)) return false;
    for (; !word.empty(); word = w.next()) {
      const auto other = number(word);
      if (!other || *other == 0 || *other > h->vertices || *other == vertex || ++ends > 2 * h->edges)
        return false;
      both ^= hash64(hash64(std::min(vertex, *other)) +
                     std::max(vertex, *other));  // zero where each edge is there twice
      if (h->edge_weights && !number(w.next())) return false;
    }
  }
  return h && vertex >= h->vertices && ends == 2 * h->edges && both == 0 && ends != 0;
}

namespace {

/// The beginning of a text, and what is known of it.
struct beginning {
  std::string_view text;
  std::vector<std::string_view> lines;
  const std::string& path;
  bool whole;
};

struct foreign_form {
  std::string_view begins;  // behind blanks and line ends; or
  bool (*is)(const beginning& b);
  std::string_view name, advice = k_edges_as_text;
  bool unless_columns = true;  // where columns are asked for it is an edge list all the same
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
    {"*vertices", nullptr, "Pajek", k_edges_as_text, false},
    {"*Vertices", nullptr, "Pajek", k_edges_as_text, false},
    {{},
     [](const beginning& b) { return b.path.ends_with(".wsg") || is_weighted_serialized(b.text); },
     "a weighted graph of GAP (.wsg)",
     "write it without weights as .sg, or its edges as text"},
    {{}, [](const beginning& b) { return is_dimacs(b.lines); }, "DIMACS"},
    {{}, [](const beginning& b) { return is_ucinet(b.lines); }, "UCINET (DL)"},
    {{}, [](const beginning& b) { return is_lgl(b.lines); }, "LGL"},
    {{},
     [](const beginning& b) { return is_networkx_adjacency(b.lines); },
     "an adjacency list of NetworkX",
     "write it by write_edgelist(data=False)"},
    {{},
     [](const beginning& b) {
       return io::without_compression(b.path).ends_with(".metis") || (b.whole && is_metis(b.text));
     },
     "METIS (vertices and edges, then the neighbours of each vertex)",
     "write its edges as text, \"source target\" a line; --columns 1,2 reads it as an edge list all the "
     "same"},
};

}  // namespace

void refuse_foreign_graphs(std::string_view text, bool whole, const std::string& path, bool has_columns) {
  const beginning b{text, lines_at_start(text), path, whole};
  const std::string_view first = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const foreign_form& form : k_forms)
    if (!(has_columns && form.unless_columns) && (form.is ? form.is(b) : first.starts_with(form.begins)))
      throw error(fmt::format("{}: {} is not read: {}", path, form.name, form.advice));
}

}  // namespace gossamer::graph
