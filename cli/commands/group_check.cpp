#include "commands/group_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "gossamer/io/decompress.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

std::string file_text(const std::string& path) {
  const machine::mapped_file file(path);
  const auto how = io::detect_compression(file.bytes());
  if (how == io::compression::none) return std::string(file.text());
  std::string text;
  std::vector<char> piece(1 << 20);
  const auto source = io::make_decompressor(how, file.bytes(), path);
  while (const std::size_t n = source->read(piece)) text.append(piece.data(), n);
  return text;
}

/// Cuts a text into records of fields, one character after the other.
template <class F>
void for_each_record(std::string_view text, char separator, bool quotes, bool blanks, F f) {
  std::vector<std::string> fields;
  std::string field;
  bool inside = false, any = false, was_quoted = false;
  const auto end_field = [&] {
    if (!blanks || !field.empty() || was_quoted) fields.push_back(field);
    field.clear();
    was_quoted = false;
  };
  const auto end_record = [&] {
    if (!blanks && !field.empty() && field.back() == '\r' && !was_quoted) field.pop_back();
    if (any && !(fields.empty() && field.empty() && !was_quoted)) {
      end_field();
      if (!fields.empty()) f(fields);
    }
    fields.clear();
    field.clear();
    any = was_quoted = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += '"', ++i;
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
    else if (blanks ? c == ' ' || c == '\t' || c == '\r' : c == separator)
      end_field();
    else if (!(was_quoted && c == '\r'))
      field += c;
  }
  end_record();
}

/// A number, whole or not.
struct number {
  bool ok = false, whole = false;
  std::int64_t integer = 0;
  long double real = 0;
};

number number_of(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  if (s.starts_with('+')) s.remove_prefix(1);
  number n;
  const char* const end = s.data() + s.size();
  if (const auto [at, problem] = std::from_chars(s.data(), end, n.integer);
      problem == std::errc{} && at == end) {
    n.ok = n.whole = true;
    n.real = static_cast<long double>(n.integer);
    return n;
  }
  double real = 0;
  if (const auto [at, problem] = std::from_chars(s.data(), end, real); at == end && at != s.data()) {
    n.ok = problem == std::errc{} || problem == std::errc::result_out_of_range;
    n.real = real;
  }
  return n;
}

/// What a group has of a column.
struct tally {
  std::uint64_t count = 0;
  bool whole = true;
  __int128 integer_sum = 0;
  long double sum = 0, least = INFINITY, most = -INFINITY;
  std::int64_t least_integer = INT64_MAX, most_integer = INT64_MIN;
  std::set<std::string> texts;
};
struct group {
  std::uint64_t rows = 0;
  std::vector<tally> of;
};

bool near(long double a, long double b) {
  return a == b || std::fabs(a - b) <= 1e-12L * std::max(std::fabs(a), std::fabs(b)) ||
         (std::isnan(a) && std::isnan(b));
}

/// Returns whether a value is the result of a tally. `whole`: all numbers of the column are.
bool agrees(const group_value& v, aggregate what, const group& g, const tally& t, bool whole) {
  using kind = group_value::type;
  if (what == aggregate::count)
    return v.is == kind::integer && static_cast<std::uint64_t>(v.integer) == g.rows;
  if (what == aggregate::distinct)
    return v.is == kind::integer && static_cast<std::size_t>(v.integer) == t.texts.size();
  if (t.count == 0) return v.is == kind::none;
  if (what == aggregate::mean)
    return v.is == kind::real && near(v.real, (whole ? static_cast<long double>(t.integer_sum) : t.sum) /
                                                  static_cast<long double>(t.count));
  if (whole)
    return v.is == kind::integer && v.integer == (what == aggregate::sum       ? t.integer_sum
                                                  : what == aggregate::minimum ? t.least_integer
                                                                               : t.most_integer);
  return v.is == kind::real && near(v.real, what == aggregate::sum       ? t.sum
                                            : what == aggregate::minimum ? t.least
                                                                         : t.most);
}

}  // namespace

namespace {

/// Returns whether a record has all columns, and numbers where they are wanted. `width`: of all records; 0: any.
bool is_good(const group_query& q, const std::vector<std::string>& fields, std::size_t width,
             const std::vector<std::uint32_t>& by, const std::vector<std::uint32_t>& of) {
  if (width != 0 && fields.size() != width) return false;
  for (const std::uint32_t c : by)
    if (c >= fields.size()) return false;
  for (std::size_t r = 0; r < of.size(); ++r) {
    const aggregate what = q.results[r].what;
    if (what == aggregate::count) continue;
    if (of[r] >= fields.size()) return false;
    const std::string& field = fields[of[r]];
    if (what != aggregate::distinct && !field.empty() && !number_of(field).ok) return false;
  }
  return true;
}

}  // namespace

std::string check_groups(const group_query& q, const grouped_rows& groups) {
  std::map<std::vector<std::string>, group> expected;
  std::vector<bool> whole(q.results.size(), true);
  std::vector<std::string> names;
  std::vector<std::uint32_t> by, of;
  char separator = q.separator;
  std::size_t width = 0;
  for (const std::string& path : q.paths) {
    const std::string text = file_text(path);
    const std::string_view rest = std::string_view(text).substr(io::byte_order_mark(text));
    if (separator == 0 && !q.blanks) separator = io::guess_separator(rest);
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
      if (!is_good(q, fields, width, by, of)) return;
      std::vector<std::string> key;
      for (const std::uint32_t c : by) key.push_back(fields.at(c));
      group& g = expected[key];
      ++g.rows;
      g.of.resize(q.results.size());
      for (std::size_t r = 0; r < q.results.size(); ++r) {
        if (q.results[r].what == aggregate::count) continue;
        const std::string& field = fields.at(of[r]);
        if (field.empty()) continue;
        tally& t = g.of[r];
        if (q.results[r].what == aggregate::distinct) {
          t.texts.insert(field);
          continue;
        }
        const number n = number_of(field);
        if (!n.whole) whole[r] = false;
        ++t.count;
        t.integer_sum += n.integer;
        t.sum += n.real;
        t.least_integer = std::min(t.least_integer, n.integer);
        t.most_integer = std::max(t.most_integer, n.integer);
        t.least = std::fmin(t.least, n.real);
        t.most = std::fmax(t.most, n.real);
      }
    });
  }
  // A column has one type, whichever result asks for it.
  for (std::size_t r = 0; r < q.results.size(); ++r)
    for (std::size_t other = 0; other < q.results.size(); ++other)
      if (of.size() > r && of[other] == of[r] && !whole[other] && q.results[other].what != aggregate::count &&
          q.results[other].what != aggregate::distinct)
        whole[r] = false;

  std::uint64_t wrong = 0, seen = 0;
  groups.for_each({}, [&](std::span<const group_value> row) {
    ++seen;
    std::vector<std::string> key;
    for (std::size_t k = 0; k < groups.key_columns(); ++k) key.emplace_back(row[k].text);
    const auto at = expected.find(key);
    bool right = at != expected.end();
    for (std::size_t r = 0; right && r < q.results.size(); ++r)
      right = agrees(row[key.size() + r], q.results[r].what, at->second, at->second.of[r], whole[r]);
    wrong += right ? 0 : 1;
  });
  if (seen != expected.size()) return fmt::format("{} groups instead of {}", seen, expected.size());
  return wrong == 0 ? "" : plural(wrong, "group is wrong", "groups are wrong");
}

}  // namespace gossamer::cli
