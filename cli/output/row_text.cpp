#include "output/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/io/numbers.hpp"
#include "output/json.hpp"

namespace gossamer::cli {
namespace {

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

/// Says of each byte whether a field of CSV that holds it is quoted.
constexpr auto k_csv_special = [] {
  std::array<bool, 256> special{};
  for (const unsigned char c : std::string_view(",\"\r\n")) special[c] = true;
  return special;
}();

void append_csv(std::string& out, std::string_view raw) {
  const bool is_special =
      std::ranges::any_of(raw, [](char c) { return k_csv_special[static_cast<unsigned char>(c)]; });
  // Quoted, too: what a reader of edges would take for a comment, or cut.
  const bool plain =
      !is_special &&
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

row_form::row_form(row_format f, std::vector<std::string> names) : format(f), columns(std::move(names)) {
  if (!is_json()) return;
  for (const std::string& name : columns) keys.push_back((keys.empty() ? "" : ",") + json_quoted(name) + ":");
}

void row_text::begin() {
  if (form_.is_json()) return;
  for (const std::string& name : form_.columns) text_field(name);
  text_ += '\n';
  column_ = 0;
}

std::string row_text::end_of(std::uint64_t rows) const {
  if (form_.format != row_format::json) return {};
  return rows == 0 ? "[]\n" : "\n]\n";
}

std::string row_text::take() { return std::exchange(text_, {}); }

void row_text::begin_field() {
  GOSSAMER_ASSERT(column_ < form_.columns.size());
  if (form_.is_json()) {
    if (column_ == 0) text_ += form_.format == row_format::jsonl ? "{" : row_ == 0 ? "[\n{" : ",\n{";
    text_ += form_.keys[column_];
  } else if (column_ > 0) {
    text_ += form_.format == row_format::tsv ? '\t' : ',';
  }
  ++column_;
}

void row_text::append(std::string_view raw) {
  switch (form_.format) {
    case row_format::tsv:
      append_tsv(text_, raw);
      break;
    case row_format::csv:
      append_csv(text_, raw);
      break;
    case row_format::json:
    case row_format::jsonl:
      text_ += json_quoted(raw);
      break;
  }
}

row_text& row_text::field(const label& value) {
  if (const auto* id = std::get_if<std::uint64_t>(&value); id && *id <= k_largest_json_integer)
    return field(*id);
  return text_field(label_text(value));
}

row_text& row_text::field(std::uint64_t value) { return digits_field(fmt::format_int(value)); }
row_text& row_text::field(std::int64_t value) { return digits_field(fmt::format_int(value)); }

row_text& row_text::digits_field(const fmt::format_int& digits) {
  begin_field();
  text_.append(digits.data(), digits.size());
  return *this;
}

row_text& row_text::text_field(std::string_view value) {
  begin_field();
  append(value);
  return *this;
}

row_text& row_text::field(double value) {
  if (!std::isfinite(value)) return no_value();
  begin_field();
  io::append_number(text_, value);
  return *this;
}

row_text& row_text::no_value() {
  begin_field();
  if (form_.is_json()) text_ += "null";
  return *this;
}

void row_text::end_row() {
  GOSSAMER_ASSERT(column_ == form_.columns.size());
  text_ += form_.format == row_format::json ? "}" : form_.format == row_format::jsonl ? "}\n" : "\n";
  column_ = 0;
  ++row_;
}

}  // namespace gossamer::cli
