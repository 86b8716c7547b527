#include "gossamer/sort/internal/line_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gossamer/io/numbers.hpp"
#include "gossamer/sort/ordered_key.hpp"

namespace gossamer::sorting {
namespace {

using double_code = ordered_key<double, false>;
constexpr double k_exact_integers = 0x1p53;
constexpr std::size_t k_exact_digits = 15;  // decimals with at most this many digits have distinct doubles

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns field `number`, from 0, of a line without its line end, with runs of blanks as separators.
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

/// Returns field `number` of a line without quotes.
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

/// Reads a number that is long, or near no normal double; none if its exponent has more than 18 digits.
[[gnu::noinline]] number_step read_long(std::string_view text, double nearest) {
  const auto exact = io::parse_decimal(text);
  if (!exact) return {};
  const bool is_decided = exact->sign == 0 || (exact->count <= k_exact_digits && std::isnormal(nearest));
  return {double_code::encode(nearest), true, is_decided};
}

/// Reads a number that is no integer of 64 bits.
number_step read_real(std::string_view text) {
  const auto real = io::parse_double(text);
  if (real.state == io::number_state::ok) {
    if (std::isnan(real.value)) return {k_nan_step, true, true};
    const double nearest = real.value == 0 ? 0.0 : real.value;
    if (text.size() > k_exact_digits || !std::isnormal(nearest)) return read_long(text, nearest);
    return {double_code::encode(nearest), true, true};
  }
  if (real.state != io::number_state::overflow) return {};
  const auto exact = io::parse_decimal(text);
  if (!exact) return {};
  const double beyond = std::numeric_limits<double>::infinity();
  return {double_code::encode(exact->sign < 0 ? -beyond : beyond), true, false};
}

}  // namespace

number_step read_number(std::string_view text) {
  if (const auto whole = io::parse_integer(text); whole.state == io::number_state::ok) {
    const auto nearest = static_cast<double>(whole.value);
    return {double_code::encode(nearest), true, std::abs(nearest) < k_exact_integers};
  }
  return read_real(text);
}

int compare_numbers(const std::optional<io::decimal_text>& a, const std::optional<io::decimal_text>& b) {
  if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
  return a->compare(*b);
}

std::string_view line_rule::key_of(std::string_view record, std::string& scratch) const {
  if (field == 0 && !numeric) return record;
  if (record.ends_with('\r')) record.remove_suffix(1);
  if (field == 0) return record;
  if (format.blanks) return blank_field(record, field - 1);
  if (format.quotes) return quoted_field(record, field - 1, format.separator, scratch);
  return plain_field(record, field - 1, format.separator);
}

int line_rule::compare(std::string_view a, std::string_view b) const {
  const int sign = numeric ? compare_numbers(io::parse_decimal(a), io::parse_decimal(b)) : a.compare(b);
  return reverse ? -sign : sign;
}

}  // namespace gossamer::sorting
