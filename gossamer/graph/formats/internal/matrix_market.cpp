#include "gossamer/graph/formats/internal/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {
namespace {

constexpr std::string_view k_banner = "%%MatrixMarket";

std::vector<std::string> words_of(std::string_view line) {
  return io::split_fields(line, {.quotes = false, .blanks = true});
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

void read_banner(std::string_view line, const std::string& path, matrix_header& h) {
  const auto words = words_of(line);
  const auto word = [&](std::size_t i) { return i < words.size() ? lower(words[i]) : std::string(); };
  const auto expect = [&](bool good, const char* what, std::size_t i) {
    if (!good) fail_at(path, 1, fmt::format("expected {}, found {}", what, in_quotes(word(i))));
  };
  expect(word(1) == "matrix", "the object \"matrix\"", 1);
  expect(word(2) == "coordinate", "the format \"coordinate\"", 2);
  const std::string field = word(3), symmetry = word(4);
  expect(field == "pattern" || field == "real" || field == "integer" || field == "unsigned-integer" ||
             field == "complex",
         "the field pattern, real, integer, unsigned-integer or complex", 3);
  expect(symmetry == "general" || symmetry == "symmetric" || symmetry == "skew-symmetric" ||
             symmetry == "hermitian",
         "the symmetry general, symmetric, skew-symmetric or hermitian", 4);
  h.reals = field == "real";
  h.values = field == "pattern" ? 0 : field == "complex" ? 2 : 1;
  h.symmetric = symmetry != "general";
  h.skew = symmetry == "skew-symmetric";
}

void read_sizes(std::string_view line, const std::string& path, std::uint64_t number, matrix_header& h) {
  const auto words = words_of(line);
  std::uint64_t* const to[] = {&h.rows, &h.columns, &h.entries};
  bool good = words.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    const io::parsed<std::uint64_t> size = io::parse_unsigned(words[i]);
    good = size.state == io::number_state::ok;
    *to[i] = size.value;
  }
  if (!good) fail_at(path, number, "expected rows, columns and entries, found " + in_quotes(line));
  if (h.symmetric && h.rows != h.columns)
    fail_at(path, number,
            fmt::format("expected a square matrix, as it is symmetric, found {} x {}", h.rows, h.columns));
  if (h.entries != 0 && (h.rows == 0 || h.columns == 0))
    fail_at(
        path, number,
        fmt::format("expected no entries in a matrix of {} x {}, found {}", h.rows, h.columns, h.entries));
  if (h.vertices() >= k_no_vertex)
    fail_at(path, number,
            fmt::format("expected less than {} rows and columns, found {}", k_no_vertex, h.vertices()));
}

line_format entry_format(const matrix_header& h, weight_use weights) {
  line_format format;
  format.weights = rule_of(weights);
  format.usual = ' ';
  format.cut.quotes = false;
  format.integers_only = true;
  format.least_columns = format.most_columns = static_cast<std::uint8_t>(2 + h.values);
  format.first_id = 1;
  format.last_id = std::max<std::uint64_t>({1, h.rows, h.columns});
  format.last_from = std::max<std::uint64_t>(1, h.rows);
  format.last_to = std::max<std::uint64_t>(1, h.columns);
  return format;
}

/// Returns whether a line resembles a banner: "%MatrixMarkt ...", "% Matrix Market ...", or any first word
/// followed by the other words of a banner.
bool looks_like_banner(std::string_view line) {
  constexpr std::size_t k_longest = 200;
  if (line.empty() || line[0] != '%') return false;
  const std::string text = lower(std::string(line.substr(0, k_longest)));
  const auto has_any = [&text](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&text](std::string_view w) { return text.find(w) != std::string::npos; });
  };
  const std::string_view first =
      std::string_view(text).substr(std::min(text.find_first_not_of("% \t"), text.size()));
  if (first.starts_with("matrixm") || first.starts_with("matrix m") || first.starts_with("matrix-m"))
    return true;
  return has_any({" coordinate "}) && has_any({" real", " integer", " complex", " pattern"}) &&
         has_any({" general", " symmetric", " skew-symmetric", " hermitian"});
}

}  // namespace

bool is_matrix_market(std::string_view beginning) {
  return lower(std::string(beginning.substr(0, k_banner.size()))) == lower(std::string(k_banner));
}

void check_no_lost_banner(std::string_view beginning, const std::string& path) {
  const bool named = io::decompressed_name(path).ends_with(".mtx");
  const auto refuse = [&path](std::uint64_t number, std::string_view line) {
    fail_at(
        path, number,
        "expected the first line of a Matrix Market file, \"%%MatrixMarket matrix coordinate ...\", found " +
            in_quotes(line));
  };
  const char* const end = beginning.data() + beginning.size();
  std::uint64_t number = 0;
  for (const char* at = beginning.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    ++number;
    const bool comment = !line.empty() && (line[0] == '%' || line[0] == '#');
    if (named || looks_like_banner(line)) refuse(number, line);
    if (!comment && line.find_first_not_of(" \t") != std::string_view::npos) return;
  }
}

preamble begin_matrix_market(std::string_view text, bool whole, const std::string& path,
                             matrix_header& header, weight_use weights) {
  preamble p;
  std::uint64_t number = 0;
  bool sizes = false;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    const char* const next = take_line(at, end, line);
    ++number;
    const bool skip =
        line.find_first_not_of(" \t") == std::string_view::npos || (number > 1 && line[0] == '%');
    if (number == 1) {
      read_banner(line, path, header);
      if (header.values == 2 && weights != weight_use::counted)
        fail_at(path, 1, "expected real or integer values, which are weights, found complex ones");
      if (header.skew && weights == weight_use::lengths)
        fail_at(path, 1,
                "expected weights of 0 or more, as they are lengths here, found skew-symmetric ones");
      p.real_weights = header.reals;
    } else if (!skip && !sizes) {
      read_sizes(line, path, number, header);
      sizes = true;
    } else if (!skip) {
      // entries use the separator of the first one
      p.format = entry_format(header, weights);
      if (const std::size_t blank = line.find_first_of(" \t", line.find_first_not_of(" \t"));
          blank != std::string_view::npos)
        p.format.usual = line[blank];
      p.bytes = static_cast<std::size_t>(at - text.data());
      p.found = true;
      return p;
    }
    at = next;
  }
  if (!whole) return p;
  if (!sizes) fail_at(path, number, "expected rows, columns and entries, found the end of the file");
  p.format = entry_format(header, weights);
  p.bytes = text.size();
  p.found = true;
  return p;
}

namespace {

/// Returns the weights of arcs, each with that of its reversed one behind it.
buffer<std::byte> with_reversed_weights(const buffer<std::byte>& weights, weight_type type, bool negated) {
  buffer<std::byte> all(2 * weights.size());
  with_weight_type(type, [&]<class Weight>(std::type_identity<Weight>) {
    const auto* const from = reinterpret_cast<const Weight*>(weights.data());
    auto* const to = reinterpret_cast<Weight*>(all.data());
    for (std::uint64_t i = 0; i < weights.size() / sizeof(Weight); ++i) {
      to[2 * i] = from[i];
      to[2 * i + 1] = negated ? static_cast<Weight>(Weight{0} - from[i]) : from[i];
    }
  });
  return all;
}

/// Widens the type for negated integers: for -2^31, and for all values of an unsigned type.
void widen(edge_weights& weights) {
  if (weights.type == weight_type::float64) return;
  with_weight_type(weights.type, [&]<class Weight>(std::type_identity<Weight>) {
    for (auto& block : weights.blocks) {
      const auto* const from = reinterpret_cast<const Weight*>(block.data());
      const std::uint64_t count = block.size() / sizeof(Weight);
      buffer<std::byte> wide(count * sizeof(double));
      std::copy_n(from, count, reinterpret_cast<double*>(wide.data()));
      block = std::move(wide);
    }
  });
  weights.type = weight_type::float64;
}

}  // namespace

void add_reversed(edge_batch& edges, bool negates) {
  if (negates && edges.weights.type != weight_type::none) widen(edges.weights);
  for (auto& block : edges.edges) {
    edge_block<edge> both{buffer<edge>(2 * block.size), 2 * block.size};
    auto to = both.edges().begin();
    for (const edge e : block.edges()) {
      *to++ = e;
      *to++ = {e.to, e.from};
    }
    block = std::move(both);
  }
  if (edges.weights.type == weight_type::none) return;
  for (auto& block : edges.weights.blocks) block = with_reversed_weights(block, edges.weights.type, negates);
}

void count_diagonal_once(graph_statistics& of) {
  of.self_loops /= 2;
  of.negative_loops = divide_up(of.negative_loops, 2);  // of a skew-symmetric matrix one of each two
  of.edges_read -= of.self_loops;
}

void take_magnitudes(edge_weights& weights) {
  if (weights.type == weight_type::none) return;
  widen(weights);
  for (auto& block : weights.blocks) {
    auto* const values = reinterpret_cast<double*>(block.data());
    std::transform(values, values + block.size() / sizeof(double), values,
                   [](double x) { return std::abs(x); });
  }
}

void separate_columns(std::vector<edge_block<edge>>& blocks, const matrix_header& header) {
  if (header.is_square()) return;
  for (const auto& block : blocks)
    for (edge& e : block.edges()) e.to += static_cast<vertex_id>(header.rows);
}

void fill_statistics(graph_statistics& statistics, const matrix_header& header) {
  statistics.format = "matrix market";
  if (!header.is_square())
    statistics.notes.push_back(
        fmt::format("a matrix of {} x {}: rows and columns are different vertices, column 1 is {}",
                    header.rows, header.columns, header.rows + 1));
}

void check_entries(const std::string& path, const matrix_header& header, std::uint64_t found) {
  if (found != header.entries)
    throw error(
        fmt::format("{}: expected {} entries, as its size line says, found {}", path, header.entries, found));
}

bool is_directed(const matrix_header& header, const load_options& options) {
  return options.how == direction::directed || (options.how == direction::by_input && !header.symmetric);
}

graph read_matrix_market(const io::text_file& file, text_options text, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  matrix_header header;
  text.begin = [&](std::string_view beginning, bool whole) {
    return begin_matrix_market(beginning, whole, file.name(), header, options.weights);
  };
  text.weights = keeps_weights(options);
  text_edges edges = read_text(file, text);
  check_entries(file.name(), header, edges.count);

  const bool directed = is_directed(header, options);
  graph_statistics statistics;
  fill_statistics(statistics, header);
  statistics.edges_read = edges.count;
  statistics.weights = edges.weighted;
  build_input input;
  input.vertices = header.vertices();
  input.directed = directed;
  if (options.weights != weight_use::counted)
    place_weights(edges, facts_of(edges.chunks), options.duplicates);
  separate_columns(edges.edges, header);
  if (header.skew && !directed && keeps_weights(options) && edges.weights.type != weight_type::none) {
    take_magnitudes(edges.weights);
    statistics.notes.emplace_back(k_magnitudes_note);
  }
  const bool both_arcs = directed && header.symmetric;
  if (both_arcs) {
    add_reversed(edges, header.skew && keeps_weights(options));
    statistics.edges_read *= 2;
  }
  input.blocks = std::move(edges.edges);
  input.weights = std::move(edges.weights);
  input.weights.rule = options.duplicates;
  statistics.load_seconds = machine::seconds_since(start);
  graph g =
      build(std::move(input), labels::range(header.vertices(), 1), std::move(statistics), options.progress);
  if (both_arcs) count_diagonal_once(g.statistics());
  return g;
}

}  // namespace gossamer::graph
