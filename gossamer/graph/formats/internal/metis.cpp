// METIS: "N M [FORMAT [WEIGHTS]]", then for each vertex a line of its neighbours, so each edge occurs in two
// lines. FORMAT has up to three digits: sizes of vertices, weights of vertices (WEIGHTS of them), weights of
// edges. Lines that begin with % are comments; an empty line is a vertex without edges. Karypis and Kumar,
// "METIS: a software package for partitioning unstructured graphs", manual 5.1.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/declared_text.hpp"
#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

/// The first line.
struct metis_header {
  std::uint64_t vertices = 0, edges = 0, vertex_weights = 0;
  bool sizes = false, edge_weights = false;
};

std::optional<metis_header> read_metis_header(std::string_view line) {
  line_words w(line);
  const auto vertices = read_number(w.next()), edges = read_number(w.next());
  if (!vertices || !edges) return std::nullopt;
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
      const auto weights = read_number(count, 100);
      if (!weights) return std::nullopt;
      h.vertex_weights = *weights;
    }
  }
  if (!w.next().empty()) return std::nullopt;
  return h;
}

/// One of the two occurrences of an edge.
struct metis_place {
  std::uint64_t low = 0, high = 0, weight = 0;  // the bits of the weight
  bool is_up = false;  // in the line of the smaller end
  std::uint64_t line = 0;

  auto ends() const { return std::tie(low, high, weight); }
};

/// Calls f(other, weight) for each neighbour in a line. Returns an error, or nothing.
template <class F>
std::string each_neighbour(std::string_view line, const metis_header& h, std::uint64_t vertex,
                           weight_rule rule, F f) {
  line_words words(line);
  std::string_view word = words.next();
  for (std::uint64_t i = 0; i < h.vertex_weights + h.sizes; ++i, word = words.next())
    if (!read_number(word))
      return fmt::format("expected {} of vertex {} before its neighbours, found {}",
                         h.vertex_weights + h.sizes == 1 ? "an integer" : "integers", vertex,
                         in_quotes(line));
  for (; !word.empty(); word = words.next()) {
    const auto other = read_number(word, h.vertices);
    if (!other || *other == 0)
      return fmt::format("expected a neighbour of vertex {} from 1 to {}, found {}", vertex, h.vertices,
                         in_quotes(word));
    if (*other == vertex)
      return fmt::format("expected another neighbour than vertex {} itself, as METIS has no self-loops",
                         vertex);
    std::string_view weight;
    if (h.edge_weights) {
      weight = words.next();
      if (weight.empty())
        return fmt::format("expected a weight behind each neighbour of vertex {}, found none behind {}",
                           vertex, *other);
      if (std::string wrong = wrong_weight(weight, rule); !wrong.empty()) return wrong;
    }
    f(*other, weight);
  }
  return {};
}

/// Returns the bits of a weight, by which the two occurrences of an edge are compared.
std::uint64_t weight_key(std::string_view weight) {
  return weight.empty() ? 0 : std::bit_cast<std::uint64_t>(io::parse_double(weight).value + 0.0);
}

class metis_format final : public declared_format {
 public:
  declared_header begin(std::string_view text, const std::string& path, label_mode) override {
    std::uint64_t number = 0;
    std::string_view line;
    const char* const end = text.data() + text.size();
    const char* at = text.data();
    do {
      at = take_line(at, end, line);
      ++number;
    } while (at < end && line.starts_with('%'));
    const auto head = read_metis_header(line);
    if (!head)
      fail_at(
          path, number,
          "expected the numbers of vertices and edges, and perhaps a format as 011 and a number of weights, "
          "found " +
              in_quotes(line));
    head_ = *head;
    declared_header header;
    header.format = "METIS";
    header.vertices = head_.vertices;
    header.edges = head_.edges;
    header.names = labels::range(head_.vertices, 1);
    header.sections.push_back({static_cast<std::size_t>(at - text.data()), text.size(), 0, false});
    if (head_.vertex_weights != 0) header.notes.emplace_back("weights of vertices are passed over");
    if (head_.sizes) header.notes.emplace_back("sizes of vertices are passed over");
    return header;
  }

  bool counts_lines() const override { return true; }
  bool counts(std::string_view line) const override { return !line.starts_with('%'); }

  std::string read(std::string_view line, unsigned, std::uint64_t before, weight_rule rule,
                   line_edges& to) const override {
    if (!counts(line)) return {};
    if (before >= head_.vertices) {
      if (io::without_blanks(line).empty()) return {};
      return fmt::format("expected {} lines of neighbours, as there are vertices, found one more: {}",
                         head_.vertices, in_quotes(line));
    }
    const std::uint64_t vertex = before + 1;
    return each_neighbour(line, head_, vertex, rule, [&](std::uint64_t other, std::string_view weight) {
      const bool is_up = vertex < other;
      const std::uint64_t ends = hash64(std::min(vertex, other), std::max(vertex, other));
      const std::uint64_t amount = hash64(ends, weight_key(weight));
      to.balance(is_up ? amount : 0 - amount);
      to.count();
      if (is_up) to.add(vertex, other, weight);
    });
  }

  void check(const declared_counts& counts, std::string_view text, const std::string& path) const override {
    if (counts.lines < head_.vertices)
      throw error(fmt::format("{}: expected {} lines of neighbours, as there are vertices, found {}", path,
                              head_.vertices, counts.lines));
    if (counts.balance != 0) report_unbalanced(text, path);
    if (counts.entries != 2 * head_.edges)
      throw error(fmt::format("{}: expected {} edges, as its first line says, found {}", path, head_.edges,
                              counts.entries / 2));
  }

 private:
  // Throws an error for the first line with an edge that the line of the other end lacks.
  void report_unbalanced(std::string_view text, const std::string& path) const {
    std::vector<metis_place> all;
    std::uint64_t number = 0, vertex = 0;
    bool is_first = true;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
      std::string_view line;
      at = take_line(at, end, line);
      ++number;
      if (!counts(line) || std::exchange(is_first, false)) continue;
      ++vertex;
      (void)each_neighbour(line, head_, vertex, weight_rule::number,
                           [&](std::uint64_t other, std::string_view weight) {
                             all.push_back({std::min(vertex, other), std::max(vertex, other),
                                            weight_key(weight), vertex < other, number});
                           });
    }
    std::ranges::sort(all, [](const metis_place& a, const metis_place& b) {
      return std::tuple(a.ends(), a.line) < std::tuple(b.ends(), b.line);
    });
    const metis_place* first = nullptr;
    for (std::size_t i = 0, j = 0; i < all.size(); i = j) {
      std::int64_t up = 0;
      for (j = i; j < all.size() && all[j].ends() == all[i].ends(); ++j) up += all[j].is_up ? 1 : -1;
      for (std::size_t k = i; k < j && up != 0; ++k)
        if (all[k].is_up == (up > 0) && (first == nullptr || all[k].line < first->line)) first = &all[k];
    }
    if (first == nullptr) return;
    const std::uint64_t from = first->is_up ? first->low : first->high;
    fail_at(
        path, first->line,
        fmt::format("expected the edge from {} to {} in both lines{}, found it in that of {} only", from,
                    first->low + first->high - from, head_.edge_weights ? ", with one weight" : "", from));
  }

  metis_header head_;
};

}  // namespace

bool is_metis(std::string_view text, bool whole, const std::string& path) {
  const std::string_view name = io::decompressed_name(path);
  if (name.ends_with(".metis")) return true;
  if (!whole) text = text.substr(0, text.rfind('\n') + 1);
  const char* const end = text.data() + text.size();
  std::optional<metis_header> h;
  std::uint64_t vertex = 0, ends = 0, balance = 0, least = ~std::uint64_t{0}, most = 0;
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (line.starts_with('%')) continue;
    if (!h) {
      h = read_metis_header(line);
      if (!h) return false;
      if (h->vertices == 0 && (!whole || h->edges != 0 || !name.ends_with(".graph"))) return false;
      continue;
    }
    if (++vertex > h->vertices) {
      if (!io::without_blanks(line).empty()) return false;
      continue;
    }
    const std::uint64_t before = ends;
    const std::string wrong = each_neighbour(
        line, *h, vertex, weight_rule::number, [&](std::uint64_t other, std::string_view weight) {
          const std::uint64_t pair = hash64(std::min(vertex, other), std::max(vertex, other));
          const std::uint64_t amount = hash64(pair, weight_key(weight));
          balance += vertex < other ? amount : 0 - amount;
          ++ends;
        });
    if (!wrong.empty() || ends > 2 * h->edges) return false;
    least = std::min(least, ends - before);
    most = std::max(most, ends - before);
  }
  if (!h || (ends == 0 && !name.ends_with(".graph"))) return false;
  if (whole) return vertex >= h->vertices && ends == 2 * h->edges && balance == 0;
  return least != most || name.ends_with(".graph");
}

std::unique_ptr<declared_format> make_metis() { return std::make_unique<metis_format>(); }

}  // namespace gossamer::graph
