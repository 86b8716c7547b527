#pragma once
// Infers the schema of a delimited text from its head and the options: comments before the data, separator,
// header, names and types of columns. Used for groups, sorted lines, counts of fields and edge lists. Options
// can state everything that is inferred: the same options give the same schema. Which columns are vertices is
// not known here (graph/formats).

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

/// Candidate separators, if no option names one.
inline constexpr std::string_view k_separators = "\t;,|";

/// Returns the candidate that is most frequent in the first line, outside quotes if `quotes`. Of equally
/// frequent ones, returns the first. Returns nothing if no candidate occurs.
std::optional<char> infer_separator(std::string_view text, std::string_view candidates = k_separators,
                                    bool quotes = true);

/// Throws gossamer::error for a quote or a line end, which separate no fields.
void check_separator(char separator);

/// Returns the separator for a message: "blanks", "tabs", "line ends" (one field per line) or "','".
std::string describe_separator(const delimited_format& format);

/// Returns the matching value of --separator: "blanks", "tab", "semicolon", "bar" or the character.
std::string separator_option(const delimited_format& format);

/// A line of the head, and its position in the text.
struct head_line {
  std::string_view text;
  std::size_t begin = 0, end = 0;  // includes its line end
  std::uint64_t number = 0;  // from 1
};

/// The first lines that are not empty: one, and those after it that end in the first kilobytes. They do not
/// depend on how much of the text was read.
struct head_lines {
  std::vector<head_line> lines;
  std::vector<std::string_view> comments;  // the first ones of those that precede the lines
  std::uint64_t comments_before = 0;
  bool enough = false;  // reading more of the text would add no line
};

/// Reads the first lines. `whole`: this is the whole text.
head_lines read_head(std::string_view text, bool whole, function_ref<bool(std::string_view line)> is_comment);

/// The type of a column's fields in some rows. A wider type includes those before it.
enum class column_type : std::uint8_t { missing, integer, real, text };

/// Returns "missing", "integer", "real" or "text".
std::string_view name_of(column_type type);

/// Returns whether a text is one of the markers for a missing value in R, pandas, databases and spreadsheets.
bool is_missing(std::string_view text);

/// Returns the type of a field. Missing: empty, one of `nulls`, or any that is_missing() accepts.
column_type type_of(std::string_view field, std::span<const std::string> nulls = {});

/// The fields of some rows.
using field_rows = std::vector<std::vector<std::string>>;

/// Returns the widest type of a column; text if a row lacks that field.
column_type type_of(const field_rows& rows, std::size_t column, std::span<const std::string> nulls = {});

struct delimited_header;

/// The options that determine a schema.
struct schema_options {
  char separator = 0;  // 0: inferred, unless blanks separate
  bool blanks = false;  // runs of blanks separate, and quotes have no meaning
  bool quotes = true;  // as in RFC 4180
  std::optional<bool> header = {};  // none: inferred from the requested columns
  std::vector<std::string> columns = {};  // requested, by name or by number from 1
  std::vector<std::string> numbers = {};  // those of them whose fields have to be numbers
  std::vector<std::string> comparable = {};  // those of them whose fields may be numbers or texts
  std::vector<std::string> nulls = {};  // fields that are no number
  bool skip_bad = false;  // passes over malformed records before the first one, if there is no header
};

/// The schema of a table.
class schema {
 public:
  /// Infers the schema from the head of a text, in whole records, which must outlive it. Throws
  /// gossamer::error for an empty text and for a malformed first record.
  schema(std::string_view head, const schema_options& options, std::string path);

  const delimited_format& format() const { return format_; }
  bool has_header() const { return has_header_; }
  /// Returns the names of the columns; empty without a header.
  const std::vector<std::string>& names() const { return names_; }
  std::uint32_t width() const { return static_cast<std::uint32_t>(first_.size()); }
  /// Returns the records of the head.
  std::string_view records() const { return records_; }

  /// Returns the index, from 0, of the column named `wanted`. Throws gossamer::error if there is none, with
  /// the nearest name, and how the first line was split.
  std::uint32_t find(const std::string& wanted) const;
  /// Returns the name of that column: "column_3" without a header.
  std::string name_of_column(const std::string& wanted) const;

  /// Returns the types of all columns in the first hundred records with as many fields as the first.
  std::vector<column_type> types() const;

  /// Returns the inferred schema in one line: `separator ',', header "src,dst", columns integer, text`.
  std::string describe() const;
  /// Returns the options that state it: `--separator , --header`.
  std::string options() const;

 private:
  delimited_header first_record(std::string_view head, const schema_options& options) const;
  std::string first_line() const;

  std::string path_;
  delimited_format format_;
  std::vector<std::string> first_, names_, nulls_;  // first_: the fields of the first record
  bool has_header_ = false, is_header_given_ = false;
  std::string_view records_;
};

}  // namespace gossamer::io
