#include "gossamer/io/delimited_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"

namespace gossamer::io {
namespace {

constexpr std::string_view k_utf8_mark = "\xef\xbb\xbf";
constexpr std::size_t k_most_names_listed = 12;
constexpr std::size_t k_most_columns = std::size_t{1} << 22;  // maximum number of stored names

// Returns the first column of that name, or names.size() if there is none.
std::size_t named(std::string_view wanted, std::span<const std::string> names, const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) return names.size();
  const auto second = std::find(found + 1, names.end(), wanted);
  if (second != names.end())
    throw error(fmt::format("{}: expected one column \"{}\", found columns {} and {}: name it by its number",
                            path, wanted, found - names.begin() + 1, second - names.begin() + 1));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::string list_names(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), k_most_names_listed);
  std::string list = fmt::format("{}", fmt::join(names.first(shown), ", "));
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  std::replace_if(list.begin(), list.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return list;
}

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with(k_utf8_mark) ? k_utf8_mark.size() : 0;
}

std::size_t records_begin(std::string_view text) {
  return std::min(text.find_first_not_of("\r\n", byte_order_mark(text)), text.size());
}

std::size_t second_record(std::string_view text, bool quotes) {
  const std::size_t first = records_begin(text);
  const std::string_view rest = text.substr(first);
  const std::size_t end = first + (quotes ? first_record_after(rest, false) : next_record(rest, 0));
  return std::min(text.find_first_not_of("\r\n", end), text.size());
}

delimited_header read_header(std::string_view text, const delimited_format& format, const std::string& path) {
  delimited_header header;
  for (header.bytes = byte_order_mark(text); header.bytes < text.size();) {
    const std::string_view rest = text.substr(header.bytes);
    const std::size_t bytes = format.quotes ? first_record_after(rest, false) : next_record(rest, 0);
    const std::string_view record = without_line_end(rest.substr(0, bytes));
    header.bytes += bytes;
    if (record.empty()) continue;
    std::optional<delimited_fault> fault;
    header.names = split_fields(record, format, &fault, k_most_columns + 1);
    if (header.names.size() > k_most_columns)
      throw error(fmt::format("{}: expected at most {} columns, found more in the first line", path,
                              format_count(k_most_columns)));
    if (fault)
      throw error(fmt::format("{}: first line: {}", path,
                              describe({.fault = *fault, .at = 0, .record_at = 0, .record = record})));
    if (!header.names.empty()) return header;
  }
  throw error(fmt::format("{}: expected a header with names of columns, found no record", path));
}

std::string describe(const delimited_problem& problem, const delimited_format& format) {
  std::optional<char> other;
  if (format.blanks && problem.fault == delimited_fault::few_fields) other = infer_separator(problem.record);
  return describe(problem) +
         (other ? fmt::format(" between blanks (--separator {}?)", separator_option({.separator = *other}))
                : "");
}

std::size_t skip_header(std::string_view text, const delimited_format& format,
                        std::span<const std::string> names, const std::string& path) {
  if (records_begin(text) == text.size()) return text.size();
  const delimited_header own = read_header(text, format, path);
  if (!std::ranges::equal(own.names, names))
    throw error(fmt::format("{}: expected the columns of the first file's header ({}), found others ({})",
                            path, list_names(names), list_names(own.names)));
  return own.bytes;
}

std::uint32_t find_column(std::string_view wanted, std::span<const std::string> names,
                          const std::string& path) {
  const std::size_t name = named(wanted, names, path);
  if (name < names.size()) return static_cast<std::uint32_t>(name);
  const parsed<std::uint64_t> number = parse_unsigned(wanted);
  const std::uint64_t most = names.empty() ? std::numeric_limits<std::uint32_t>::max() - 1 : names.size();
  if (number.state == number_state::ok && number.value >= 1 && number.value <= most)
    return static_cast<std::uint32_t>(number.value - 1);
  if (names.empty())
    throw error(fmt::format("{}: expected the number of a column, from 1, found \"{}\" (names need a header)",
                            path, wanted));
  const std::string near = nearest(wanted, names);
  throw error(fmt::format("{}: no column \"{}\"{}; columns: {}", path, wanted,
                          near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near),
                          list_names(names)));
}

}  // namespace gossamer::io
