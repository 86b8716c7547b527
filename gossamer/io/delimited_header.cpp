#include "gossamer/io/delimited_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::io {
namespace {

constexpr std::string_view k_utf8_mark = "\xef\xbb\xbf";
constexpr std::size_t k_most_names_listed = 12, k_header_chunk_bytes = 1 << 10;

std::string listed(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), k_most_names_listed);
  std::string list = fmt::format("{}", fmt::join(names.first(shown), ", "));
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  std::replace_if(list.begin(), list.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return list;
}

// Returns the first column of that name; names.size() where there is none.
std::size_t named(std::string_view wanted, std::span<const std::string> names, const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) return names.size();
  const auto second = std::find(found + 1, names.end(), wanted);
  if (second != names.end())
    throw error(fmt::format("{}: expected one column \"{}\", found columns {} and {}: name it by its number",
                            path, wanted, found - names.begin() + 1, second - names.begin() + 1));
  return static_cast<std::size_t>(found - names.begin());
}

// Returns how a separator is given to an option.
std::string name_of_separator(char separator) {
  return separator == '\t'  ? "tab"
         : separator == ';' ? "semicolon"
         : separator == '|' ? "bar"
                            : std::string(1, separator);
}

}  // namespace

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with(k_utf8_mark) ? k_utf8_mark.size() : 0;
}

char guess_separator(std::string_view text) {
  constexpr std::string_view k_candidates = "\t;,|";
  std::array<std::size_t, k_candidates.size()> counts{};
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') break;
    const std::size_t candidate = k_candidates.find(c);
    if (candidate != std::string_view::npos) ++counts[candidate];
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? ',' : k_candidates[static_cast<std::size_t>(most - counts.begin())];
}

delimited_header read_header(std::string_view text, const delimited_format& format, const std::string& path) {
  delimited_format any = format;
  any.empty_lines = false;
  any.fields = 0;
  delimited_scratch scratch(k_header_chunk_bytes);
  const auto refuse = [&](const delimited_problem& problem) -> bool {
    throw error(fmt::format("{}: first line: {}", path, describe(problem)));
  };
  delimited_header header;
  header.bytes = byte_order_mark(text);
  while (header.bytes < text.size()) {
    const std::string_view rest = text.substr(header.bytes);
    const std::string_view record =
        rest.substr(0, any.quotes ? first_record_after(rest, false) : next_record(rest, 0));
    header.bytes += record.size();
    std::vector<std::uint32_t> columns;
    read_records(
        record, any, {}, scratch, [&](const delimited_record& r) { columns.resize(r.count); }, refuse);
    if (columns.empty()) continue;
    std::iota(columns.begin(), columns.end(), 0U);
    const auto keep = [&](const delimited_record& r) {
      header.names.assign(r.fields.begin(), r.fields.end());
    };
    read_records(record, any, columns, scratch, keep, refuse);
    return header;
  }
  throw error(fmt::format("{}: expected a header with names of columns, found no record", path));
}

std::string describe(const delimited_problem& problem, const delimited_format& format) {
  const char other = guess_separator(problem.record);
  const bool has_other = format.blanks && problem.fault == delimited_fault::few_fields &&
                         problem.record.find(other) != std::string_view::npos;
  return describe(problem) +
         (has_other ? fmt::format(" between blanks (--separator {}?)", name_of_separator(other)) : "");
}

std::size_t skip_header(std::string_view text, const delimited_format& format,
                        std::span<const std::string> names, const std::string& path) {
  const delimited_header own = read_header(text, format, path);
  if (!std::ranges::equal(own.names, names))
    throw error(fmt::format("{}: expected the columns of the first file's header ({}), found others ({})",
                            path, listed(names), listed(own.names)));
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
                          near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near), listed(names)));
}

header_column find_in_header(std::string_view text, const delimited_format& format, std::string_view wanted,
                             const std::string& path) {
  const std::vector<std::string> names = read_header(text, format, path).names;
  if (format.blanks && named(wanted, names, path) == names.size()) {
    const std::size_t mark = byte_order_mark(text);
    const char other = guess_separator(text.substr(mark));
    const bool has_other = text.substr(0, next_record(text, mark)).find(other) != std::string_view::npos;
    if (has_other && std::ranges::count(read_header(text, {.separator = other}, path).names, wanted) != 0)
      throw error(fmt::format("{}: no column \"{}\" between blanks: --separator {} has it", path, wanted,
                              name_of_separator(other)));
  }
  return {find_column(wanted, names, path), static_cast<std::uint32_t>(names.size())};
}

}  // namespace gossamer::io
