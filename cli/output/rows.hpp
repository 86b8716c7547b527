#pragma once
// --output: one row per vertex, word or group, in the form that the file's ending says (row_text.hpp), compressed where .gz or .zst
// follows; "-" is tsv on standard output. Rows stream through one buffer, or all cores write theirs, into a temporary
// name, which becomes FILE when all of them are there: nothing half-written.

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
  row_writer& no_value();
  void end_row();

  /// Returns the form of the rows, for row_texts of other cores.
  const row_form& form() const { return rows_.form(); }
  /// Calls write(row_output) with the file and what stands around so many rows, all of which it writes by itself. Instead of the
  /// fields, once.
  template <class F>
  void write_by_all(std::uint64_t rows, F write) {
    write(row_output{&file_, how_, rows_.take(), rows_.end_of(rows)});
    is_whole_ = true;
  }

  /// Writes what remains and gives the file its name. Without it the file never appears.
  void commit();

 private:
  void write_buffer();

  io::compression how_;
  row_text rows_;
  machine::output_file file_;
  bool is_whole_ = false;
};

}  // namespace gossamer::cli
