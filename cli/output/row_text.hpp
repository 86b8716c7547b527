#pragma once
// Turns rows of fields into text. On any core: each has a row_text of its own, for the rows from some number on.
//   tsv, csv  a line of column names, then the rows; tsv escapes tab, newline and backslash as
//             \t \n \\, csv quotes as RFC 4180 says
//   json      an array of objects, one object per line
//   jsonl     an object per line

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/label.hpp"

namespace gossamer::cli {

enum class row_format { tsv, csv, json, jsonl };

/// What rows look like.
struct row_form {
  row_format format = row_format::tsv;
  std::vector<std::string> columns;
  std::vector<std::string> keys;  // of json: each name with what stands before and behind it

  row_form() = default;
  row_form(row_format format, std::vector<std::string> columns);
  bool is_json() const { return format == row_format::json || format == row_format::jsonl; }
};

class row_text {
 public:
  /// Begins at a row, counted from 0.
  explicit row_text(const row_form& form, std::uint64_t first_row = 0) : form_(form), row_(first_row) {}

  /// Appends a field. The fields of a row come in the order of the columns, then end_row().
  row_text& field(const label& value);
  row_text& field(std::uint64_t value);
  row_text& field(std::int64_t value);
  row_text& field(double value);
  row_text& text_field(std::string_view value);
  row_text& no_value();  // empty; null in json
  void end_row();

  /// Appends what comes before the first row.
  void begin();
  /// Returns what comes after so many rows.
  std::string end_of(std::uint64_t rows) const;
  const row_form& form() const { return form_; }
  /// Appends what comes after the last row.
  void end() { append(end_of(row_)); }
  /// Counts the bytes of the text.
  std::size_t size() const { return size_; }
  /// Returns the text, and begins a new one.
  std::string take();

 private:
  /// Makes room behind the text, and returns where it begins. end_at() says how much of it was written.
  char* room_for(std::size_t bytes);
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }
  void append(std::string_view text);
  /// Writes what comes before a field, and returns where at most `most` bytes of it go.
  char* begin_field(std::size_t most);
  row_text& digits_field(const fmt::format_int& digits);

  row_form form_;
  std::string text_;  // and room behind it
  std::size_t size_ = 0, column_ = 0;
  std::uint64_t row_;
};

}  // namespace gossamer::cli
