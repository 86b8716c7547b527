#pragma once
// --output: one row per vertex, word or group. The ending of the file selects the format (row_text.hpp) and
// the compression (.gz, .zst); "-" is tsv on standard output. Rows go through one buffer, or all cores write
// theirs, to a temporary file. It becomes FILE when it is complete.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/files/row_output.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"
#include "output/label.hpp"
#include "output/row_text.hpp"

namespace gossamer::cli {

/// Returns the format that the ending selects. Throws gossamer::error that names `option` if it selects none.
row_format rows_format(std::string_view option, std::string_view path);

class row_writer {
 public:
  /// Opens the temporary file, so that a missing folder is found before any work.
  row_writer(const std::string& path, std::vector<std::string> columns);

  /// Writes a field. The fields of a row come in the order of the columns, then end_row().
  row_writer& field(const label& value);
  row_writer& field(std::uint64_t value);
  row_writer& field(std::int64_t value);
  row_writer& field(double value);
  row_writer& text_field(std::string_view value);
  row_writer& no_value();
  void end_row();

  /// Returns the form of the rows, for row_texts of other cores.
  const row_form& form() const { return rows_.form(); }
  /// Calls write(row_output) with the file, and the texts before and behind so many rows. write() writes the
  /// whole file. Use it once, and write no fields.
  template <class F>
  void write_by_all(std::uint64_t rows, F write) {
    write(row_output{&file_, how_, rows_.take(), rows_.end_of(rows)});
    is_whole_ = true;
  }

  /// Writes the rest, and renames the file. Without this call the file never appears.
  void commit();

 private:
  void write_buffer();

  io::compression how_;
  row_text rows_;
  machine::output_file file_;
  bool is_whole_ = false;  // write_by_all() has written all
};

}  // namespace gossamer::cli
