#pragma once
// --output: one row per vertex, as tsv, csv, json or jsonl by the file's ending, compressed where .gz or .zst
// follows; "-" is tsv on standard output. Rows stream through one
// buffer into a temporary name, which becomes FILE when all of them are there: nothing half-written.
//   tsv, csv  a line of column names, then the rows; tsv escapes tab, newline and backslash as
//             \t \n \\, csv quotes as RFC 4180 says
//   json      an array of objects, one object per line
//   jsonl     an object per line

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"
#include "output/label.hpp"

namespace gossamer::cli {

enum class row_format { tsv, csv, json, jsonl };

/// Throws gossamer::error naming `option` when the ending says nothing.
row_format rows_format(std::string_view option, std::string_view path);

class row_writer {
 public:
  /// Opens the temporary file, so that a folder that is missing is known before any work.
  row_writer(const std::string& path, std::vector<std::string> columns);

  /// Writes a field. The fields of a row come in the order of the columns, then end_row().
  row_writer& field(const label& value);
  row_writer& field(std::uint64_t value);
  row_writer& field(std::int64_t value);
  row_writer& field(double value);
  row_writer& text_field(std::string_view value);
  row_writer& no_value();  // empty; null in json
  void end_row();

  /// Writes what remains and gives the file its name. Without it the file never appears.
  void commit();

 private:
  bool is_json() const { return format_ == row_format::json || format_ == row_format::jsonl; }
  void write_buffer();
  void begin_field();
  void text(std::string_view raw);

  row_format format_;
  io::compression how_;
  std::vector<std::string> columns_;
  machine::output_file file_;
  std::string buffer_;
  std::size_t column_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace gossamer::cli
