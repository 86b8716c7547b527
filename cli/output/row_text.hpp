#pragma once
// Formats rows of fields as text. On any core: each core has its own row_text, which begins at a given row.
//   tsv, csv  a line of column names, then the rows; quotes as in RFC 4180
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

/// The format of rows, and their columns.
struct row_form {
  row_format format = row_format::tsv;
  std::vector<std::string> columns;
  std::vector<std::string> keys;  // of json: each name in quotes, with its comma and colon

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

  /// Appends the line of column names, if the format has one.
  void begin();
  /// Returns the text that follows so many rows.
  std::string end_of(std::uint64_t rows) const;
  const row_form& form() const { return form_; }
  /// Appends the text that follows the last row.
  void end() { append(end_of(row_)); }
  /// Returns the bytes of the text.
  std::size_t size() const { return size_; }
  /// Returns the text, and begins a new one.
  std::string take();

 private:
  /// Extends the buffer behind the text by at least so many bytes, and returns where they begin. end_at()
  /// sets how many were written.
  char* room_for(std::size_t bytes);
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }
  void append(std::string_view text);
  /// Writes the separator or key of a field. Returns the place for at most `most` bytes of its value.
  char* begin_field(std::size_t most);
  row_text& digits_field(const fmt::format_int& digits);

  row_form form_;
  std::string text_;  // longer than the text
  std::size_t size_ = 0, column_ = 0;
  std::uint64_t row_;
};

}  // namespace gossamer::cli
