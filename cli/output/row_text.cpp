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

/// Returns, for each byte, whether a field that contains it is quoted.
constexpr std::array<bool, 256> special(char separator) {
  std::array<bool, 256> is{};
  for (const unsigned char c : {separator, '"', '\r', '\n'}) is[c] = true;
  return is;
}
constexpr auto k_tsv_special = special('\t'), k_csv_special = special(',');

/// Writes a field, at most twice its bytes and two quotes, and returns its end.
char* write_quoted(char* to, std::string_view raw, const std::array<bool, 256>& special) {
  const bool is_special =
      std::ranges::any_of(raw, [&](char c) { return special[static_cast<unsigned char>(c)]; });
  // Fields are also quoted if a reader of edge lists would take them for a comment or trim them.
  const bool plain =
      !is_special &&
      (raw.empty() || (std::string_view("#%/ ").find(raw[0]) == raw.npos && raw.back() != ' '));
  if (plain) return std::ranges::copy(raw, to).out;
  *to++ = '"';
  for (const char c : raw) {
    if (c == '"') *to++ = '"';
    *to++ = c;
  }
  *to++ = '"';
  return to;
}

}  // namespace

row_form::row_form(row_format f, std::vector<std::string> names) : format(f), columns(std::move(names)) {
  if (!is_json()) return;
  for (const std::string& name : columns) keys.push_back((keys.empty() ? "" : ",") + json_quoted(name) + ":");
}

void row_text::begin() {
  if (form_.is_json()) return;
  for (const std::string& name : form_.columns) text_field(name);
  append("\n");
  column_ = 0;
}

std::string row_text::end_of(std::uint64_t rows) const {
  if (form_.format != row_format::json) return {};
  return rows == 0 ? "[]\n" : "\n]\n";
}

std::string row_text::take() {
  text_.resize(std::exchange(size_, 0));
  return std::exchange(text_, {});
}

char* row_text::room_for(std::size_t bytes) {
  constexpr std::size_t k_least = 4096;
  if (text_.size() - size_ < bytes) [[unlikely]]
    text_.resize(std::max({k_least, 2 * text_.size(), size_ + bytes}));
  return text_.data() + size_;
}

void row_text::append(std::string_view text) { end_at(std::ranges::copy(text, room_for(text.size())).out); }

char* row_text::begin_field(std::size_t most) {
  GOSSAMER_ASSERT(column_ < form_.columns.size());
  if (form_.is_json()) {
    if (column_ == 0) append(form_.format == row_format::jsonl ? "{" : row_ == 0 ? "[\n{" : ",\n{");
    append(form_.keys[column_++]);
    return room_for(most);
  }
  char* to = room_for(most + 1);
  if (column_++ > 0) *to++ = form_.format == row_format::tsv ? '\t' : ',';
  return to;
}

row_text& row_text::field(const label& value) {
  if (const auto* id = std::get_if<std::uint64_t>(&value); id && *id <= k_largest_json_integer)
    return field(*id);
  return text_field(label_text(value));
}

row_text& row_text::field(std::uint64_t value) { return digits_field(fmt::format_int(value)); }
row_text& row_text::field(std::int64_t value) { return digits_field(fmt::format_int(value)); }

row_text& row_text::digits_field(const fmt::format_int& digits) {
  end_at(std::copy_n(digits.data(), digits.size(), begin_field(digits.size())));
  return *this;
}

row_text& row_text::text_field(std::string_view value) {
  if (form_.is_json()) {
    begin_field(0);
    append(json_quoted(value));
    return *this;
  }
  char* const to = begin_field(2 * value.size() + 2);
  end_at(write_quoted(to, value, form_.format == row_format::tsv ? k_tsv_special : k_csv_special));
  return *this;
}

row_text& row_text::field(double value) {
  if (!std::isfinite(value)) return no_value();
  end_at(io::write_number(begin_field(io::k_most_number_bytes), value));
  return *this;
}

row_text& row_text::no_value() {
  end_at(begin_field(0));
  if (form_.is_json()) append("null");
  return *this;
}

void row_text::end_row() {
  GOSSAMER_ASSERT(column_ == form_.columns.size());
  append(form_.format == row_format::json ? "}" : form_.format == row_format::jsonl ? "}\n" : "\n");
  column_ = 0;
  ++row_;
}

}  // namespace gossamer::cli
