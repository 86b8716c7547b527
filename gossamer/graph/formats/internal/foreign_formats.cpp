#include "gossamer/graph/formats/internal/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/io/compress.hpp"

namespace gossamer::graph {
namespace {

constexpr std::string_view k_blanks = " \t";

/// The words of a line, one after the other.
class words {
 public:
  explicit words(std::string_view line) : rest_(line) {}

  /// Returns the next word, or nothing at the end.
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(k_blanks), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(k_blanks));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || status != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> lines_at_start(std::string_view text) {
  constexpr std::size_t k_most = 200;
  std::vector<std::string_view> all;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end && all.size() < k_most;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (!is_blank_line(line)) all.push_back(line);
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

void refuse_foreign_graphs(std::string_view text, bool whole, const std::string& path) {
  const auto refuse = [&path](std::string_view what, std::string_view advice) {
    throw error(fmt::format("{}: {} is not read: {}", path, what, advice));
  };
  constexpr std::string_view k_edges =
      "write its edges as text, \"source target\" a line (or as Matrix Market)";
  if (path.ends_with(".wsg") || is_weighted_serialized(text))
    refuse("a weighted graph of GAP (.wsg)", "write it without weights as .sg, or its edges as text");
  const auto lines = lines_at_start(text);
  if (is_dimacs(lines)) refuse("DIMACS", k_edges);
  if (is_ucinet(lines)) refuse("UCINET (DL)", k_edges);
  if (is_lgl(lines)) refuse("LGL", k_edges);
  if (is_networkx_adjacency(lines))
    refuse("an adjacency list of NetworkX", "write it by write_edgelist(data=False)");
  if (io::without_compression(path).ends_with(".metis") || (whole && is_metis(text)))
    refuse("METIS (vertices and edges, then the neighbours of each vertex)",
           "write its edges as text, \"source target\" a line; --columns 1,2 reads it as an edge list all "
           "the same");
}

}  // namespace gossamer::graph
