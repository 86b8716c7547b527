#include "gossamer/io/schema_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::io {
namespace {

bool is_one_of(std::string_view text, std::span<const std::string> all) {
  return std::ranges::find(all, text) != all.end();
}

bool is_number(std::string_view text) { return parse_double(text).state == number_state::ok; }

/// Returns whether one of the first records has a number in a column.
bool has_number(std::string_view records, const delimited_format& format, std::uint64_t column) {
  constexpr std::size_t k_most_rows = 100;
  for (std::size_t row = 0; row < k_most_rows && !records.empty(); ++row) {
    const std::size_t bytes = format.quotes ? first_record_after(records, false) : next_record(records, 0);
    const auto fields = split_fields(without_line_end(records.substr(0, bytes)), format, nullptr, column + 2);
    if (column < fields.size() && is_number(fields[column])) return true;
    records.remove_prefix(bytes);
  }
  return false;
}

/// Returns whether the first record names the columns: it contains the name of a requested column, or lacks a
/// number where numbers are required, or where records after it have some and these are compared. Digits count
/// as a name if the column number would be too large.
bool names_columns(const schema_options& options, const std::vector<std::string>& first,
                   std::string_view records, const delimited_format& format) {
  const auto number_of = [&](const std::string& column) {  // 0: none
    const std::uint64_t number = parse_unsigned(column).value;
    return parse_unsigned(column).state == number_state::ok && number <= first.size() ? number : 0;
  };
  const auto is_name = [&](const std::string& column) {
    const bool is_fraction = parse_unsigned(column).state != number_state::ok && is_number(column);
    return is_one_of(column, first) && number_of(column) == 0 && !is_fraction;
  };
  const auto is_title = [&](const std::string& column) {
    if (number_of(column) == 0) return false;
    const std::string& field = first[number_of(column) - 1];
    return !field.empty() && !is_number(field) && !is_one_of(field, options.nulls);
  };
  const auto is_title_of_numbers = [&](const std::string& column) {
    return is_title(column) && has_number(records, format, number_of(column) - 1);
  };
  return std::ranges::any_of(options.columns, is_name) || std::ranges::any_of(options.numbers, is_title) ||
         std::ranges::any_of(options.comparable, is_title_of_numbers);
}

}  // namespace

std::optional<char> infer_separator(std::string_view text, std::string_view candidates, bool quotes) {
  std::array<std::size_t, 256> counts{};
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = quotes && !inside;
    if (inside) continue;
    if (c == '\n') break;
    ++counts[static_cast<unsigned char>(c)];
  }
  const auto count = [&](char c) { return counts[static_cast<unsigned char>(c)]; };
  const auto most = std::ranges::max_element(candidates, {}, count);
  return most == candidates.end() || count(*most) == 0 ? std::nullopt : std::optional(*most);
}

void check_separator(char separator) {
  if (separator == '"' || separator == '\n' || separator == '\r')
    throw error("separator: expected a character that is no quote and no line end");
}

std::string describe_separator(const delimited_format& format) {
  if (format.blanks) return "blanks";
  if (format.separator == '\t') return "tabs";
  return format.separator == '\n' ? "line ends" : fmt::format("'{}'", format.separator);
}

std::string separator_option(const delimited_format& format) {
  if (format.blanks) return "blanks";
  switch (format.separator) {
    case '\t':
      return "tab";
    case ';':
      return "semicolon";
    case '|':
      return "bar";
    case ' ':
      return "space";
    default:
      return std::string(1, format.separator);
  }
}

head_lines read_head(std::string_view text, bool whole,
                     function_ref<bool(std::string_view line)> is_comment) {
  constexpr std::size_t k_most = 10, k_bytes = 4096, k_most_comments = 100;
  head_lines found;
  std::uint64_t number = 0;
  for (std::size_t at = 0, end = 0; at < text.size() && found.lines.size() < k_most; at = end) {
    end = next_record(text, at);
    if (end > k_bytes && found.lines.size() >= 2) break;
    ++number;
    const std::string_view line = without_line_end(text.substr(at, end - at));
    if (is_comment(line)) {
      if (!found.lines.empty()) continue;
      ++found.comments_before;
      if (found.comments.size() < k_most_comments) found.comments.push_back(line);
    } else if (!without_blanks(line).empty()) {
      found.lines.push_back({line, at, end, number});
    }
  }
  found.enough = whole || found.lines.size() == k_most || (found.lines.size() >= 2 && text.size() >= k_bytes);
  return found;
}

std::string_view name_of(column_type type) {
  constexpr std::string_view k_names[] = {"missing", "integer", "real", "text"};
  return k_names[static_cast<std::size_t>(type)];
}

bool is_missing(std::string_view text) {
  constexpr std::string_view k_all[] = {"NA",   "N/A",  "<NA>", "NaN",  "nan", "NAN",
                                        "NULL", "Null", "null", "None", "\\N", "#N/A"};
  return std::ranges::find(k_all, text) != std::end(k_all);
}

column_type type_of(std::string_view field, std::span<const std::string> nulls) {
  if (field.empty() || is_missing(field) || is_one_of(field, nulls)) return column_type::missing;
  const exact_number number = parse_exact(field);
  if (number.state != number_state::ok && number.state != number_state::overflow) return column_type::text;
  return number.is_integer ? column_type::integer : column_type::real;
}

column_type type_of(const field_rows& rows, std::size_t column, std::span<const std::string> nulls) {
  column_type widest = column_type::missing;
  for (const auto& row : rows)
    widest = std::max(widest, column < row.size() ? type_of(row[column], nulls) : column_type::text);
  return widest;
}

schema::schema(std::string_view head, const schema_options& options, std::string path)
    : path_(std::move(path)), nulls_(options.nulls), is_header_given_(options.header.has_value()) {
  format_.blanks = options.blanks;
  format_.quotes = options.quotes && !options.blanks;
  const std::string_view records = head.substr(records_begin(head));
  format_.separator = options.separator != 0 || options.blanks
                          ? options.separator
                          : infer_separator(records, k_separators, options.quotes).value_or(',');
  if (records.empty()) throw error(fmt::format("{}: expected records, found an empty file", path_));
  const delimited_header first = first_record(head, options);
  has_header_ = options.header.value_or(
      names_columns(options, first.names, std::string_view(head).substr(first.bytes), format_));
  records_ = head.substr(has_header_ ? first.bytes : records_begin(head));
  first_ = first.names;
  if (has_header_) names_ = first_;
  if (!options.blanks) format_.fields = width();
}

/// Returns the first record: the header, or the first one of the right form if there is none and bad ones are
/// skipped.
delimited_header schema::first_record(std::string_view head, const schema_options& options) const {
  const bool skips = options.skip_bad && options.header.has_value() && !*options.header;
  std::string problem;
  for (std::string_view rest = head; problem.empty() || records_begin(rest) < rest.size();) {
    try {
      return read_header(rest, format_, path_);
    } catch (const error& e) {
      if (problem.empty()) problem = e.what();
      if (!skips) break;
    }
    rest.remove_prefix(records_begin(rest));
    rest.remove_prefix(format_.quotes ? first_record_after(rest, false) : next_record(rest, 0));
  }
  throw error(fmt::format("{}; fields are cut at {}: --separator cuts them elsewhere", problem,
                          describe_separator(format_)));
}

std::uint32_t schema::find(const std::string& wanted) const {
  const bool is_number = parse_unsigned(wanted).state == number_state::ok;
  if (!has_header_ && !is_number) {
    const std::string near = nearest(wanted, first_);
    throw error(fmt::format(
        "{}: no column \"{}\": {}; {}", path_, wanted,
        is_header_given_ ? "names of columns need a header, and --no-header says that there is none"
        : near.empty()
            ? "names of columns need a header: it must be the first line; --header takes that for it"
            : fmt::format("did you mean \"{}\"?", near),
        first_line()));
  }
  if (format_.blanks && has_header_ && !is_one_of(wanted, names_)) {
    const std::string line = fmt::to_string(fmt::join(first_, " "));
    const auto other = infer_separator(line);
    if (other && is_one_of(wanted, split_fields(line, {.separator = *other})))
      throw error(fmt::format("{}: no column \"{}\" between blanks: --separator {} has it", path_, wanted,
                              separator_option({.separator = *other})));
  }
  const std::uint32_t column = [&] {
    try {
      return find_column(wanted, names_, path_);
    } catch (const error& e) {
      // The name contains a separator, or there is one column: the line was split elsewhere.
      throw error(first_.size() == 1 ? fmt::format("{}; {}", e.what(), first_line()) : std::string(e.what()));
    }
  }();
  if (column >= width() && format_.fields != 0)
    throw error(fmt::format("{}: expected at least {} columns, found {}; {}", path_, column + 1, width(),
                            first_line()));
  return column;
}

std::string schema::name_of_column(const std::string& wanted) const {
  const std::uint32_t column = find(wanted);
  return has_header_ ? names_[column] : fmt::format("column_{}", column + 1);
}

std::vector<column_type> schema::types() const {
  constexpr std::size_t k_most_rows = 100;
  field_rows rows;
  for (std::string_view rest = records_; !rest.empty() && rows.size() < k_most_rows;) {
    const std::size_t bytes = format_.quotes ? first_record_after(rest, false) : next_record(rest, 0);
    auto row =
        split_fields(without_line_end(rest.substr(0, bytes)), format_, nullptr, width() + std::size_t{1});
    if (row.size() == width()) rows.push_back(std::move(row));
    rest.remove_prefix(bytes);
  }
  std::vector<column_type> types;
  for (std::size_t c = 0; c < width(); ++c) types.push_back(type_of(rows, c, nulls_));
  return types;
}

std::string schema::first_line() const {
  constexpr std::size_t k_most = 12, k_most_bytes = 40;
  std::string fields;
  for (std::size_t i = 0; i < std::min(k_most, first_.size()); ++i) {
    std::string field = first_[i].substr(0, k_most_bytes);
    std::ranges::replace_if(field, [](unsigned char c) { return c < ' '; }, ' ');
    fields += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", field);
  }
  if (first_.size() > k_most) fields += fmt::format(" and {} more", first_.size() - k_most);
  return fmt::format("the first line, cut at {}, is {} (--separator cuts it elsewhere)",
                     describe_separator(format_), fields);
}

std::string schema::describe() const {
  constexpr std::size_t k_most = 12;
  std::string line = "separator " + describe_separator(format_);
  if (!format_.quotes && !format_.blanks) line += ", no quotes";
  line += has_header_ ? fmt::format(", header \"{}\"", list_names(names_)) : ", no header";
  const std::vector<column_type> all = types();
  for (std::size_t i = 0; i < std::min(k_most, all.size()); ++i)
    line += fmt::format("{}{}", i == 0 ? ", columns " : ", ", name_of(all[i]));
  return all.size() > k_most ? fmt::format("{} and {} more", line, all.size() - k_most) : line;
}

std::string schema::options() const {
  return fmt::format("--separator {}{}{}", separator_option(format_),
                     has_header_ ? " --header" : " --no-header",
                     format_.quotes || format_.blanks ? "" : " --no-quotes");
}

}  // namespace gossamer::io
