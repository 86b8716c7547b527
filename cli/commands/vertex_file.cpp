#include "commands/vertex_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/io/text_format.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

/// A text whose records begin with vertices.
class vertex_text {
 public:
  vertex_text(const loaded_graph& g, const std::string& path)
      : graph_(g), file_(path), text_(file_.all(unpacked_)) {
    io::check_text(file_.bytes(), path, io::k_tables_as_text);
    begin_ = io::byte_order_mark(text_);
  }

  /// What records consist of.
  enum class form : std::uint8_t { vertices, pairs, values };

  /// Calls f(record) for each record. `wanted` describes a correct one, for the error.
  void for_each(form what, std::string_view wanted, function_ref<void(const io::delimited_record&)> f) const {
    const std::string_view text = text_.substr(begin_);
    const std::uint32_t fields = what == form::vertices ? 1 : 2;
    const std::optional<char> separator = separator_of(what, text);
    const io::delimited_format format{.separator = separator.value_or(','),
                                      .blanks = !separator,
                                      .trims = separator.has_value(),
                                      .fields = fields};
    constexpr std::uint32_t k_columns[] = {0, 1};
    io::delimited_scratch scratch;
    const auto found = io::read_records(
        text, format, std::span(k_columns).first(fields), scratch,
        [&](const io::delimited_record& r) {
          if (!is_comment(r.text)) f(r);
        },
        [&](const io::delimited_problem& p) { return is_comment(p.record); });
    if (!found.problem) return;
    const io::delimited_problem& p = *found.problem;
    const bool is_count =
        p.fault == io::delimited_fault::few_fields || p.fault == io::delimited_fault::many_fields;
    throw error(is_count ? fmt::format("{}: expected {}, found \"{}\"", place_of(p.record_at), wanted,
                                       printable(p.record))
                         : fmt::format("{}: {}", place_of(p.at), io::describe(p)));
  }

  /// Returns the vertex that a field names.
  graph::vertex_id vertex(const io::delimited_record& r, std::size_t field) const {
    const std::string label(r.fields[field]);
    const auto known = graph_.whole().names().find(label);
    return known ? *known : graph_.find(place_of(r.at), label);  // throws
  }

  /// Returns the place of a position in a record: "FILE:LINE".
  std::string place_of(std::size_t at) const { return file_.place_of(0, begin_ + at); }

 private:
  /// Returns the separator of the first record that is no comment; none: blanks. Labels may contain separators:
  /// what is alone on a line is not divided, and pairs have a tab, else a comma, else blanks between them.
  std::optional<char> separator_of(form what, std::string_view text) const {
    if (what == form::vertices) return '\t';
    const io::head_lines head =
        io::read_head(text, true, [this](std::string_view line) { return is_comment(line); });
    const std::string_view record = head.lines.empty() ? std::string_view() : head.lines[0].text;
    if (what == form::values) return io::infer_separator(record);
    return io::infer_separator(record, "\t") ? '\t' : io::infer_separator(record, ",");
  }

  bool is_comment(std::string_view record) const {
    if (!record.starts_with('#')) return false;
    return graph_.whole().names().form() != graph::labels::kind::strings || record.size() == 1 ||
           record[1] == ' ' || record[1] == '\t';
  }

  const loaded_graph& graph_;
  io::text_file file_;
  std::string unpacked_;
  std::string_view text_;
  std::size_t begin_ = 0;
};

}  // namespace

std::vector<graph::vertex_id> read_vertices(const loaded_graph& g, const std::string& path,
                                            std::size_t each) {
  const vertex_text text(g, path);
  std::vector<graph::vertex_id> all;
  const bool pairs = each == 2;
  text.for_each(pairs ? vertex_text::form::pairs : vertex_text::form::vertices,
                pairs ? "two vertices" : "a vertex", [&](const io::delimited_record& r) {
                  for (std::size_t k = 0; k < each; ++k) all.push_back(text.vertex(r, k));
                });
  return all;
}

std::vector<double> read_vertex_values(const loaded_graph& g, const std::string& path) {
  const vertex_text text(g, path);
  std::vector<double> values(g.view().vertices, 0);
  std::vector<bool> is_given(g.view().vertices);
  bool is_first = true;
  text.for_each(vertex_text::form::values, "a vertex and its weight", [&](const io::delimited_record& r) {
    const auto number = io::parse_double(r.fields[1]);
    if (std::exchange(is_first, false) && number.state == io::number_state::none) return;  // a header
    if (number.state != io::number_state::ok || !(number.value >= 0) || !std::isfinite(number.value))
      throw error(fmt::format("{}: expected a weight of 0 or more, found \"{}\"", text.place_of(r.at),
                              printable(r.fields[1])));
    const graph::vertex_id v = text.vertex(r, 0);
    if (is_given[v])
      throw error(fmt::format("{}: expected each vertex once, found \"{}\" again", text.place_of(r.at),
                              printable(r.fields[0])));
    is_given[v] = true;
    values[v] = number.value;
  });
  if (std::ranges::all_of(values, [](double x) { return x == 0; }))
    throw error(fmt::format("{}: expected a weight above 0, found none", printable(path)));
  return values;
}

}  // namespace gossamer::cli
