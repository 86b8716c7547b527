#pragma once
// What the head of a delimited text and the options say of all of it: comments before the data, separator, header, names and types of
// columns. Groups, sorted lines, counts of fields and edge lists begin here. What is inferred can be said by options: the same options
// give the same schema. Which columns are vertices is not known here (graph/formats).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/io/delimited.hpp"

namespace gossamer::io {

/// What may separate fields where no option says it.
inline constexpr std::string_view k_separators = "\t;,|";

/// Returns the separator that is most frequent in the first line, outside quotes where these count, of the candidates; of equally frequent ones the first.
/// None where there is none of them.
std::optional<char> infer_separator(std::string_view text, std::string_view candidates = k_separators,
                                    bool quotes = true);

/// Returns what separates fields, for a message: "blanks", "tabs", "line ends" (one field a line) or "','".
std::string describe_separator(const delimited_format& format);

/// Returns the value of --separator that says so: "blanks", "tab", "semicolon", "bar" or the character.
std::string separator_option(const delimited_format& format);

/// A line of the head, and its place in the text.
struct head_line {
  std::string_view text;
  std::size_t begin = 0, end = 0;  // with its line end
  std::uint64_t number = 0;  // from 1
};

/// The first lines that hold something: one, and those after it that end in the first kilobytes. The same ones however much of the text is there.
struct head_lines {
  std::vector<head_line> lines;
  std::vector<std::string_view> comments;  // the first ones of those before
  std::uint64_t comments_before = 0;
  bool enough = false;  // more text would show no others
};

/// Reads the first lines. `whole`: there is no more text.
head_lines read_head(std::string_view text, bool whole, function_ref<bool(std::string_view line)> is_comment);

/// What the fields of a column are in some rows; a wider type takes those before it.
enum class column_type : std::uint8_t { missing, integer, real, text };

/// Returns "missing", "integer", "real" or "text".
std::string_view name_of(column_type type);

/// Returns whether a text is what R, pandas, databases and spreadsheets write where there is no value.
bool is_missing(std::string_view text);

/// Returns the type of a field. Missing: empty, one of `nulls`, or what is_missing() knows.
column_type type_of(std::string_view field, std::span<const std::string> nulls = {});

/// The fields of some rows.
using field_rows = std::vector<std::vector<std::string>>;

/// Returns the widest type of a column; text where a row has no such field.
column_type type_of(const field_rows& rows, std::size_t column, std::span<const std::string> nulls = {});

/// What options say of a table.
struct schema_options {
  char separator = 0;  // 0: inferred, unless blanks separate
  bool blanks = false;  // runs of blanks separate, and quotes mean nothing
  bool quotes = true;  // as RFC 4180 says
  std::optional<bool> header = {};  // none: inferred from the columns that are asked for
  std::vector<std::string> columns = {};  // asked for, by name or by number from 1
  std::vector<std::string> numbers = {};  // those of them whose fields are to be numbers
  std::vector<std::string> nulls = {};  // fields that are no number
};

/// The schema of a table.
class schema {
 public:
  /// Infers it from the head of a text, whole records, which stays. Throws gossamer::error for an empty text and for a first record with a problem.
  schema(std::string_view head, const schema_options& options, std::string path);

  const delimited_format& format() const { return format_; }
  bool has_header() const { return has_header_; }
  /// Returns the names of the columns; empty without a header.
  const std::vector<std::string>& names() const { return names_; }
  std::uint32_t width() const { return static_cast<std::uint32_t>(first_.size()); }
  /// Returns the records of the head.
  std::string_view records() const { return records_; }

  /// Returns the number, from 0, of the column that `wanted` means. Throws gossamer::error where there is none, with the nearest name, and how
  /// the first line was cut.
  std::uint32_t find(const std::string& wanted) const;
  /// Returns the name of that column: "column_3" without a header.
  std::string name_of_column(const std::string& wanted) const;

  /// Returns the types of all columns in the first hundred records with as many fields as the first.
  std::vector<column_type> types() const;

  /// Returns what was inferred, in one line: `separator ',', header "src,dst", columns integer, text`.
  std::string describe() const;
  /// Returns the options that say so: `--separator , --header`.
  std::string options() const;

 private:
  std::string first_line() const;

  std::string path_;
  delimited_format format_;
  std::vector<std::string> first_, names_, nulls_;  // first_: the fields of the first record
  bool has_header_ = false, is_header_given_ = false;
  std::string_view records_;
};

}  // namespace gossamer::io
