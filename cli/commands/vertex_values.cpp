#include "commands/vertex_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer::cli {
namespace {

/// A text of vertices and values, with its name for messages.
class value_lines {
 public:
  value_lines(std::string_view text, const std::string& name, const loaded_graph& g)
      : text_(text), name_(name), graph_(g), values_(g.view().vertices, 0), is_given_(g.view().vertices) {}

  void take(const io::delimited_record& r) {
    const auto number = io::parse_double(r.fields[1]);
    const bool is_first = std::exchange(is_first_, false);
    if (r.text.starts_with('#')) return;
    if (number.state == io::number_state::none && is_first) return;  // a header
    if (number.state != io::number_state::ok || !(number.value >= 0) || !std::isfinite(number.value))
      throw error(fmt::format("{}: expected a weight of 0 or more, found \"{}\"", place_of(r.at),
                              printable(r.fields[1])));
    const std::string label(r.fields[0]);
    const auto known = graph_.whole().names().find(label);
    const graph::vertex_id v = known ? *known : graph_.find(place_of(r.at), label);  // which throws
    if (is_given_[v])
      throw error(
          fmt::format("{}: expected each vertex once, found \"{}\" again", place_of(r.at), printable(label)));
    is_given_[v] = true;
    values_[v] = number.value;
  }

  /// Returns where a position of the text is: "FILE:LINE".
  std::string place_of(std::size_t at) const {
    return fmt::format("{}:{}", printable(name_),
                       1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  std::vector<double> values() && { return std::move(values_); }

 private:
  std::string_view text_;
  const std::string& name_;
  const loaded_graph& graph_;
  std::vector<double> values_;
  std::vector<bool> is_given_;
  bool is_first_ = true;
};

}  // namespace

std::vector<double> read_vertex_values(const std::string& path, const loaded_graph& g) {
  const io::text_file file(path);
  std::string unpacked;
  std::string_view text = file.all(unpacked);
  text.remove_prefix(io::byte_order_mark(text));
  const auto separator = io::infer_separator(text);
  const io::delimited_format format{.separator = separator.value_or(','),
                                    .blanks = !separator,
                                    .trims = separator.has_value(),
                                    .fields = 2};
  value_lines lines(text, path, g);
  io::delimited_scratch scratch;
  const std::uint32_t columns[] = {0, 1};
  const auto found = io::read_records(
      text, format, columns, scratch, [&](const io::delimited_record& r) { lines.take(r); },
      [](const io::delimited_problem& p) { return p.record.starts_with('#'); });
  if (found.problem)
    throw error(fmt::format("{}: a vertex and its weight: {}", lines.place_of(found.problem->at),
                            io::describe(*found.problem)));
  std::vector<double> values = std::move(lines).values();
  if (std::ranges::all_of(values, [](double x) { return x == 0; }))
    throw error(fmt::format("{}: expected a weight above 0, found none", printable(path)));
  return values;
}

}  // namespace gossamer::cli
