#include "gossamer/mapreduce/internal/lines/line_rule.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/io/numbers.hpp"
#include "gossamer/mapreduce/internal/containers/ordered_key.hpp"

namespace gossamer::mapreduce {
namespace {

using double_code = ordered_key<double, false>;
constexpr std::uint64_t k_no_rest = std::uint64_t{1} << 63;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns field `number`, from 0, of a line without its line end, between runs of blanks.
std::string_view blank_field(std::string_view line, std::uint32_t number) {
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end])) ++end;
    if (number-- == 0 || at == line.size()) return line.substr(at, end - at);
    at = end;
  }
}

/// Returns field `number` of a line between separators.
std::string_view plain_field(std::string_view line, std::uint32_t number, char separator) {
  std::size_t at = 0;
  for (; number > 0; --number) {
    at = line.find(separator, at);
    if (at == line.npos) return {};
    ++at;
  }
  return line.substr(at, line.find(separator, at) - at);
}

/// Returns field `number` of a record that may have quotes.
std::string_view quoted_field(std::string_view record, std::uint32_t number, char separator,
                              std::string& scratch) {
  std::size_t at = 0;
  while (true) {
    std::size_t end = 0;
    bool doubled = false;
    if (at < record.size() && record[at] == '"')
      for (end = at + 1; end < record.size(); ++end) {
        if (record[end] != '"') continue;
        ++end;
        if (end == record.size() || record[end] != '"') break;
        doubled = true;
      }
    else
      end = std::min(record.find(separator, at), record.size());
    if (number-- == 0) {
      const std::string_view field = record.substr(at, end - at);
      if (!field.starts_with('"')) return field;
      const std::string_view inner = field.substr(1, field.size() - 2);
      if (!doubled) return inner;
      scratch.clear();
      for (std::size_t i = 0; i < inner.size(); ++i) {
        scratch += inner[i];
        if (inner[i] == '"') ++i;
      }
      return scratch;
    }
    if (end >= record.size()) return {};
    at = end + 1;
  }
}

}  // namespace

number_steps read_number(std::string_view text) {
  number_steps steps{.rest = k_no_rest};
  if (const auto whole = io::parse_integer(text); whole.state == io::number_state::ok) {
    const auto nearest = static_cast<double>(whole.value);
    __extension__ using wide = __int128;
    const auto rest = static_cast<std::int64_t>(wide{whole.value} - static_cast<wide>(nearest));
    steps.nearest = double_code::encode(nearest);
    steps.rest = static_cast<std::uint64_t>(rest) ^ k_no_rest;
    steps.is_number = true;
    return steps;
  }
  const auto real = io::parse_double(text);
  if (real.state != io::number_state::ok || std::isnan(real.value)) return steps;
  steps.nearest = double_code::encode(real.value == 0 ? 0.0 : real.value);
  steps.is_number = true;
  return steps;
}

bool may_have_rest(std::uint64_t nearest) { return std::abs(double_code::decode(nearest)) >= 0x1p53; }

std::string_view line_rule::key_of(std::string_view record, std::string& scratch) const {
  if (field == 0 && !numeric) return record;
  if (record.ends_with('\r')) record.remove_suffix(1);
  if (field == 0) return record;
  if (format.blanks) return blank_field(record, field - 1);
  if (format.quotes) return quoted_field(record, field - 1, format.separator, scratch);
  return plain_field(record, field - 1, format.separator);
}

int line_rule::compare(std::string_view a, std::string_view b) const {
  int sign = 0;
  if (numeric) {
    const number_steps x = read_number(a), y = read_number(b);
    sign = x.nearest != y.nearest ? (x.nearest < y.nearest ? -1 : 1)
                                  : (x.rest > y.rest ? 1 : 0) - (x.rest < y.rest ? 1 : 0);
  } else {
    sign = a.compare(b);
  }
  return reverse ? -sign : sign;
}

}  // namespace gossamer::mapreduce
