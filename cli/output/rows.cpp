#include "output/rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "output/json.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr std::size_t k_flush_bytes = 1 << 20;  // compressed in one piece

void append_tsv(std::string& out, std::string_view raw) {
  for (const char c : raw) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
}

void append_csv(std::string& out, std::string_view raw) {
  // Quoted, too: what a reader of edges would take for a comment, or cut.
  const bool plain =
      raw.find_first_of(",\"\r\n") == raw.npos &&
      (raw.empty() || (std::string_view("#%/ ").find(raw[0]) == raw.npos && raw.back() != ' '));
  if (plain) {
    out += raw;
    return;
  }
  out += '"';
  for (const char c : raw) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

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
    : format_(rows_format("--output", path)),
      how_(io::compression_for(path)),
      columns_(std::move(columns)),
      file_(path == "-" ? "/dev/stdout" : path) {
  if (is_json()) {
    for (std::string& name : columns_) name = json_quoted(name);
    return;
  }
  for (const auto& name : columns_) {
    begin_field();
    text(name);
  }
  buffer_ += '\n';
  column_ = 0;
}

void row_writer::begin_field() {
  GOSSAMER_ASSERT(column_ < columns_.size());
  if (is_json()) {
    if (column_ == 0) buffer_ += format_ == row_format::jsonl ? "{" : rows_ == 0 ? "[\n{" : ",\n{";
    fmt::format_to(std::back_inserter(buffer_), "{}{}:", column_ == 0 ? "" : ",", columns_[column_]);
  } else if (column_ > 0) {
    buffer_ += format_ == row_format::tsv ? '\t' : ',';
  }
  ++column_;
}

void row_writer::text(std::string_view raw) {
  switch (format_) {
    case row_format::tsv:
      append_tsv(buffer_, raw);
      break;
    case row_format::csv:
      append_csv(buffer_, raw);
      break;
    case row_format::json:
    case row_format::jsonl:
      buffer_ += json_quoted(raw);
      break;
  }
}

row_writer& row_writer::field(const label& value) {
  if (const auto* id = std::get_if<std::uint64_t>(&value); id && *id <= k_largest_json_integer)
    return field(*id);
  begin_field();
  text(label_text(value));
  return *this;
}

row_writer& row_writer::field(std::uint64_t value) {
  begin_field();
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
  return *this;
}

row_writer& row_writer::field(std::int64_t value) {
  begin_field();
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
  return *this;
}

row_writer& row_writer::text_field(std::string_view value) {
  begin_field();
  text(value);
  return *this;
}

row_writer& row_writer::field(double value) {
  if (!std::isfinite(value)) return no_value();
  begin_field();
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
  return *this;
}

row_writer& row_writer::no_value() {
  begin_field();
  if (is_json()) buffer_ += "null";
  return *this;
}

void row_writer::end_row() {
  GOSSAMER_ASSERT(column_ == columns_.size());
  buffer_ += format_ == row_format::json ? "}" : format_ == row_format::jsonl ? "}\n" : "\n";
  column_ = 0;
  ++rows_;
  if (buffer_.size() >= k_flush_bytes) write_buffer();
}

void row_writer::write_buffer() { file_.write(io::compress(how_, std::exchange(buffer_, {}))); }

void row_writer::commit() {
  if (format_ == row_format::json) buffer_ += rows_ == 0 ? "[]\n" : "\n]\n";
  write_buffer();
  file_.commit();
}

}  // namespace gossamer::cli
