#include "output/rows.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "gossamer/base/error.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr std::size_t k_flush_bytes = 1 << 20;  // compressed as one block

}  // namespace

row_format rows_format(std::string_view option, std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, row_format>, 4> endings{
      {{".tsv", row_format::tsv},
       {".csv", row_format::csv},
       {".json", row_format::json},
       {".jsonl", row_format::jsonl}}};
  if (path == "-") return row_format::tsv;
  const std::string_view plain = io::without_compression(path);
  for (const auto& [ending, format] : endings) {
    if (plain.ends_with(ending) && plain.size() > ending.size()) return format;
  }
  throw error(
      fmt::format("{}: expected a file ending in .tsv, .csv, .json or .jsonl, perhaps with .gz or .zst "
                  "behind it, or - for standard output, found \"{}\"",
                  option, printable(path)));
}

row_writer::row_writer(const std::string& path, std::vector<std::string> columns)
    : how_(io::compression_for(path)),
      rows_(row_form(rows_format("--output", path), std::move(columns))),
      file_(path == "-" ? "/dev/stdout" : path) {
  rows_.begin();
}

row_writer& row_writer::field(const label& value) {
  rows_.field(value);
  return *this;
}

row_writer& row_writer::field(std::uint64_t value) {
  rows_.field(value);
  return *this;
}

row_writer& row_writer::field(std::int64_t value) {
  rows_.field(value);
  return *this;
}

row_writer& row_writer::field(double value) {
  rows_.field(value);
  return *this;
}

row_writer& row_writer::text_field(std::string_view value) {
  rows_.text_field(value);
  return *this;
}

row_writer& row_writer::no_value() {
  rows_.no_value();
  return *this;
}

void row_writer::end_row() {
  rows_.end_row();
  if (rows_.size() >= k_flush_bytes) write_buffer();
}

void row_writer::write_buffer() { file_.write(io::compress(how_, rows_.take())); }

void row_writer::commit() {
  if (!is_whole_) {
    rows_.end();
    write_buffer();
  }
  file_.commit();
}

}  // namespace gossamer::cli
