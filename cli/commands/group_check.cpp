#include "commands/group_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/io/source.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

/// Splits a text into records of fields, character by character. Calls f(fields) for each record, with no field
/// if one has a quote where none may be; such a record ends at a line end with an even number of quotes before.
template <class F>
void for_each_record(std::string_view text, char separator, bool quotes, bool blanks, F f) {
  std::vector<std::string> fields;
  std::string field;
  bool inside = false, any = false, was_quoted = false, is_bad = false, is_odd = false;
  const auto end_field = [&] {
    if (!blanks || !field.empty() || was_quoted) fields.push_back(field);
    field.clear();
    was_quoted = false;
  };
  const auto end_record = [&] {
    if (!field.empty() && field.back() == '\r' && !was_quoted) field.pop_back();
    if (any && !(fields.empty() && field.empty() && !was_quoted)) {
      end_field();
      if (is_bad) fields.clear();
      if (!fields.empty() || is_bad) f(fields);
    }
    fields.clear();
    field.clear();
    any = was_quoted = is_bad = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quotes && !blanks && c == '"') is_odd = !is_odd;
    if (is_bad && c == '\n') {
      inside &= is_odd;
      if (!is_odd) end_record();
      continue;
    }
    if (inside) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += '"', ++i, is_odd = !is_odd;
      } else {
        inside = false;
      }
      continue;
    }
    if (c == '\n') {
      end_record();
      continue;
    }
    any = true;
    if (quotes && !blanks && c == '"' && field.empty())
      inside = was_quoted = true;
    else if (blanks ? c == ' ' || c == '\t' : c == separator)
      end_field();
    else if (!(was_quoted && c == '\r')) {
      is_bad |= quotes && !blanks && (c == '"' || was_quoted);
      field += c;
    }
  }
  end_record();
}

/// A number of a field; `whole`: an integer.
struct number {
  bool ok = false, whole = false;
  wide_integer integer = 0;
  long double real = 0;
};

number number_of(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  number n;
  if (s.starts_with("+-")) return n;
  if (s.starts_with('+')) s.remove_prefix(1);
  const char* const end = s.data() + s.size();
  const bool negative = s.starts_with('-');
  n.ok = n.whole = s.size() > (negative ? 1 : 0);
  for (const char c : s.substr(negative ? 1 : 0))
    n.whole = n.whole && c >= '0' && c <= '9' && !__builtin_mul_overflow(n.integer, 10, &n.integer) &&
              !__builtin_sub_overflow(n.integer, c - '0', &n.integer);  // negative: the larger range
  n.whole = n.whole && (negative || !__builtin_sub_overflow(wide_integer{0}, n.integer, &n.integer));
  if (n.whole) {
    n.real = static_cast<long double>(n.integer);
    return n;
  }
  n = {};
  double real = 0;
  if (const auto [at, problem] = std::from_chars(s.data(), end, real); at == end && at != s.data()) {
    n.ok = true;
    n.real = real;
    if (problem == std::errc::result_out_of_range) {  // too large, or next to 0
      n.ok = std::fabs(std::strtold(std::string(s).c_str(), nullptr)) < 1;
      n.real = 0;
    }
  }
  return n;
}

/// Compares an integer with a real number, exactly.
int compare(wide_integer whole, long double real) {
  if (real >= 0x1p127L) return -1;
  if (real < -0x1p127L) return 1;
  const auto below = static_cast<wide_integer>(std::floor(real));
  if (whole != below) return whole < below ? -1 : 1;
  return real > std::floor(real) ? -1 : 0;
}

/// Compares two numbers, exactly. Returns 0 if one is NaN.
int compare(const number& a, const number& b) {
  if (std::isnan(a.real) || std::isnan(b.real)) return 0;
  if (a.whole && b.whole) return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
  if (a.whole) return compare(a.integer, b.real);
  if (b.whole) return -compare(b.integer, a.real);
  return a.real < b.real ? -1 : a.real > b.real ? 1 : 0;
}

/// The values of a column in one group.
struct tally {
  std::uint64_t count = 0;
  bool whole = true;
  wide_unsigned integer_sum = 0;  // its lowest 128 bits
  long double sum = 0, rest = 0, magnitude = 0;  // rest: of rounding; magnitude: of all numbers
  std::string least_text, largest_text;
  std::vector<number> extremes;  // the smallest and the largest; both are NaN if any number is
  std::set<std::string> texts;
  std::vector<long double> numbers;  // for quantiles

  struct interpolated {
    long double value, most_error;
  };
  /// Returns the quantile, by linear interpolation between two numbers, which may be rounded to doubles first.
  interpolated quantile(double share) const {
    std::vector<long double> sorted;
    for (const long double n : numbers)
      if (std::isnan(n))
        return {n, 0};
      else
        sorted.push_back(n);
    std::ranges::sort(sorted);
    const double place = share * static_cast<double>(sorted.size() - 1);  // rounded, as NumPy has it
    const auto below = static_cast<std::size_t>(place);
    const long double a = sorted[below], b = sorted[std::min(below + 1, sorted.size() - 1)];
    const double part = place - static_cast<double>(below);
    if (a == b || part == 0 || (std::isinf(a) && std::isfinite(b)))
      return {a, std::isfinite(a) ? 0x1p-51L * std::fabs(a) : 0};
    return {a + (b - a) * part, std::isfinite(b) ? 0x1p-51L * std::max(std::fabs(a), std::fabs(b)) : 0};
  }

  /// Returns the sum of the numbers.
  long double total() const { return std::isfinite(sum) ? sum + rest : sum; }
  /// Returns by how much a sum in two doubles may differ. Sums of numbers near the ends of the doubles may be
  /// anything.
  long double most_error() const {
    constexpr long double k_two_doubles = 0x1p-100L;
    if (magnitude > std::numeric_limits<double>::max()) return std::numeric_limits<long double>::infinity();
    return 1e-12L * std::fabs(total()) + k_two_doubles * static_cast<long double>(count) * magnitude;
  }

  void add(const number& n) {
    ++count;
    whole &= n.whole;
    integer_sum += static_cast<wide_unsigned>(n.integer);
    const long double more = sum + n.real;
    rest += std::fabs(sum) >= std::fabs(n.real) ? (sum - more) + n.real : (n.real - more) + sum;
    sum = more;
    magnitude += std::fabs(n.real);
    if (extremes.empty()) extremes.assign(2, n);
    if (std::isnan(extremes[0].real)) return;
    if (std::isnan(n.real)) return extremes.assign(2, n);
    const int least = compare(n, extremes[0]), largest = compare(n, extremes[1]);
    const bool is_rather = n.whole && n.integer != 0;  // of equal ones an integer is told, but for -0
    if (least < 0 || (least == 0 && is_rather)) extremes[0] = n;
    if (largest > 0 || (largest == 0 && n.whole)) extremes[1] = n;
  }
};
struct group {
  std::uint64_t rows = 0;
  std::vector<tally> of;
};

bool near(long double a, long double b, long double most_error) {
  return a == b || std::fabs(a - b) <= most_error ||
         (std::isnan(a) && (std::isnan(b) || std::isinf(most_error)));
}
bool near(long double a, long double b) { return near(a, b, 1e-12L * std::max(std::fabs(a), std::fabs(b))); }

/// Returns whether a value equals the result of a tally.
bool agrees(const group_value& v, const group_result& asked, const group& g, const tally& t) {
  const aggregate what = asked.what;
  using kind = group_value::type;
  if (what == aggregate::count)
    return v.is == kind::integer && static_cast<std::uint64_t>(v.integer) == g.rows;
  if (what == aggregate::distinct)
    return v.is == kind::integer && static_cast<std::size_t>(v.integer) == t.texts.size();
  if (t.count == 0) return v.is == kind::none;
  if (what == aggregate::mean) {
    const auto count = static_cast<long double>(t.count);
    const bool exact = t.whole && t.magnitude < 0x1p126L;
    return v.is == kind::real &&
           (exact ? near(v.real, static_cast<long double>(static_cast<wide_integer>(t.integer_sum)) / count)
                  : near(v.real, t.total() / count, t.most_error() / count));
  }
  if (what == aggregate::quantile) {
    const tally::interpolated expected = t.quantile(asked.share);
    return v.is == kind::real && near(v.real, expected.value, expected.most_error);
  }
  if (v.is == kind::text) return v.text == (what == aggregate::minimum ? t.least_text : t.largest_text);
  const number expected = what == aggregate::sum
                              ? number{true, t.whole, static_cast<wide_integer>(t.integer_sum), t.total()}
                              : t.extremes[what == aggregate::maximum ? 1 : 0];
  if (v.is == kind::real)
    return what == aggregate::sum ? near(v.real, expected.real, t.most_error()) : near(v.real, expected.real);
  return expected.whole && expected.integer == (v.is == kind::wide ? v.wide : v.integer);
}

}  // namespace

namespace {

bool is_missing(const group_query& q, const std::string& field) {
  return field.empty() || std::ranges::find(q.nulls, field) != q.nulls.end();
}

/// Returns whether a record has all columns, and numbers in the columns that need them. `width`: the number
/// of fields of all records; 0: any.
bool is_good(const group_query& q, const std::vector<std::string>& fields, std::size_t width,
             const std::vector<std::uint32_t>& by, const std::vector<std::uint32_t>& of,
             const std::vector<bool>& texts) {
  if (width != 0 && fields.size() != width) return false;
  for (const std::uint32_t c : by)
    if (c >= fields.size()) return false;
  for (std::size_t r = 0; r < of.size(); ++r) {
    const aggregate what = q.results[r].what;
    if (what == aggregate::count) continue;
    if (of[r] >= fields.size()) return false;
    const std::string& field = fields[of[r]];
    if (what != aggregate::distinct && !texts[r] && !is_missing(q, field) && !number_of(field).ok)
      return false;
  }
  return true;
}

}  // namespace

check check_groups(const group_query& q, const grouped_rows& groups) {
  std::map<std::vector<std::string>, group> expected;
  std::vector<bool> texts(q.results.size());  // whether a result is a text
  groups.for_each({}, [&](std::span<const group_value> row) {
    for (std::size_t r = 0; r < texts.size(); ++r)
      if (row[groups.key_columns() + r].is == group_value::type::text) texts[r] = true;
  });
  std::vector<std::string> names;
  std::vector<std::uint32_t> by, of;
  char separator = q.separator;
  std::size_t width = 0;
  for (const std::string& path : q.paths) {
    std::string unpacked;
    const io::text_file file(path);
    const std::string_view text = file.all(unpacked);
    const std::string_view rest = text.substr(io::records_begin(text));
    if (rest.empty()) continue;
    if (separator == 0 && !q.blanks)
      separator = io::infer_separator(rest, io::k_separators, q.quotes).value_or(',');
    bool first = true;
    for_each_record(rest, separator, q.quotes, q.blanks, [&](const std::vector<std::string>& fields) {
      if (std::exchange(first, false)) {
        if (groups.statistics().header && names.empty()) names = fields;
        if (width == 0 && !q.blanks) width = fields.size();
        if (by.empty()) {
          for (const std::string& column : q.by) by.push_back(io::find_column(column, names, path));
          for (const group_result& r : q.results)
            of.push_back(r.what == aggregate::count ? 0 : io::find_column(r.column, names, path));
        }
        if (groups.statistics().header) return;
      }
      if (!is_good(q, fields, width, by, of, texts)) return;
      std::vector<std::string> key;
      for (const std::uint32_t c : by) key.push_back(fields.at(c));
      group& g = expected[key];
      ++g.rows;
      g.of.resize(q.results.size());
      for (std::size_t r = 0; r < q.results.size(); ++r) {
        if (q.results[r].what == aggregate::count) continue;
        const std::string& field = fields.at(of[r]);
        if (is_missing(q, field)) continue;
        tally& t = g.of[r];
        if (q.results[r].what == aggregate::distinct) {
          t.texts.insert(field);
          continue;
        }
        if (texts[r]) {
          if (t.count++ == 0 || field < t.least_text) t.least_text = field;
          t.largest_text = std::max(t.largest_text, field);
          continue;
        }
        const number n = number_of(field);
        t.add(n);
        if (q.results[r].what == aggregate::quantile) t.numbers.push_back(n.real);
      }
    });
  }

  std::uint64_t wrong = 0, seen = 0;
  groups.for_each({}, [&](std::span<const group_value> row) {
    ++seen;
    std::vector<std::string> key;
    for (std::size_t k = 0; k < groups.key_columns(); ++k) key.emplace_back(row[k].text);
    const auto at = expected.find(key);
    bool right = at != expected.end();
    for (std::size_t r = 0; right && r < q.results.size(); ++r)
      right = agrees(row[key.size() + r], q.results[r], at->second, at->second.of[r]);
    wrong += right ? 0 : 1;
  });
  if (seen != expected.size()) return {false, fmt::format("{} groups instead of {}", seen, expected.size())};
  return count_of_wrong(wrong, "group is", "groups are");
}

}  // namespace gossamer::cli
