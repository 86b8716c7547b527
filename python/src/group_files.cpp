// Groups of files of delimited text: _core.group_files(), what `gossamer group` does.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/tables/group_by.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

/// A column of the answer.
struct answer_column {
  std::vector<std::string> texts;  // of a key
  std::vector<std::int64_t> integers;
  std::vector<double> reals;  // of results of which one is no integer
  bool is_integers = true;
  std::vector<wide_integer> wides;  // of results that are integers, if one is beyond 64 bits
  bool is_whole = true;  // results are integers, or missing
  bool is_beyond_doubles = false;  // a result is an integer that a double may not hold
  bool has_texts = false;  // of results; none of them is an empty one
};

/// Reads a text that is what an integer of 64 bits is written as.
template <class Integer>
bool read_integer(std::string_view text, Integer& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return false;
  return std::to_string(value) == text;  // "007" is another text than "7"
}

void add_key(answer_column& c, const group_value& v) {
  std::int64_t value = 0;
  const std::string text =
      v.is == group_value::type::integer ? std::to_string(v.integer) : std::string(v.text);
  c.is_integers = c.is_integers && read_integer(text, value);
  if (c.is_integers) c.integers.push_back(value);
  c.texts.push_back(text);
}

/// Returns keys as integers of 64 bits without a sign; none if one of them is no such integer.
std::vector<std::uint64_t> unsigned_keys(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; const std::string& text : texts) {
    if (!read_integer(text, key)) return {};
    keys.push_back(key);
  }
  return keys;
}

void add_result(answer_column& c, group_value v, bool is_sum) {
  using type = group_value::type;
  if (is_sum && v.is == type::none) v = {.is = type::integer, .text = {}};  // of nothing, as of tables: 0
  if (v.is == type::text) c.has_texts = true;
  if (v.is == type::text || v.is == type::none) c.texts.resize(c.reals.size() + 1);
  if (v.is == type::text) c.texts.back() = v.text;
  c.is_integers = c.is_integers && v.is == type::integer;
  c.is_whole = c.is_whole && v.is != type::real && v.is != type::text;
  constexpr std::int64_t k_exact = std::int64_t{1} << 53;
  c.is_beyond_doubles = c.is_beyond_doubles || v.is == type::wide ||
                        (v.is == type::integer && (v.integer > k_exact || v.integer < -k_exact));
  c.integers.push_back(v.is == type::integer ? v.integer : 0);
  c.reals.push_back(v.is == type::integer ? static_cast<double>(v.integer)
                    : v.is == type::wide  ? static_cast<double>(v.wide)
                    : v.is == type::real  ? v.real
                                          : std::numeric_limits<double>::quiet_NaN());
  if (v.is == type::wide && c.wides.empty()) c.wides.assign(c.integers.begin(), c.integers.end() - 1);
  if (v.is == type::wide || !c.wides.empty())
    c.wides.push_back(v.is == type::wide ? v.wide : wide_integer{c.integers.back()});
}

struct answer {
  std::vector<answer_column> columns;
  std::size_t keys = 0;
  std::uint64_t rows = 0, skipped = 0;
  std::string first_skipped;
};

aggregate aggregate_of(const std::string& name) {
  for (const aggregate each :
       {aggregate::count, aggregate::sum, aggregate::minimum, aggregate::maximum, aggregate::mean})
    if (name_of(each) == name) return each;
  throw error("expected count, sum, min, max or mean, found " + name);
}

nb::object object_of(answer_column& c, bool is_key) {
  if (c.is_integers) return array_of<std::int64_t>(std::move(c.integers));
  if (is_key)
    if (auto keys = unsigned_keys(c.texts); !keys.empty()) return array_of<std::uint64_t>(std::move(keys));
  nb::list texts;
  if (c.has_texts) {
    for (const std::string& each : c.texts)
      texts.append(each.empty() ? nb::none() : nb::object(text_of(each)));
    return texts;
  }
  if (!is_key && c.is_whole && c.is_beyond_doubles) {  // as of tables: NaN where there is none
    for (std::size_t i = 0; i < c.integers.size(); ++i) {
      if (std::isnan(c.reals[i]))
        texts.append(nb::float_(c.reals[i]));
      else if (c.wides.empty())
        texts.append(nb::int_(c.integers[i]));
      else
        texts.append(nb::int_(text_of(fmt::format("{}", c.wides[i]))));
    }
    return texts;
  }
  if (!is_key) return array_of<double>(std::move(c.reals));
  for (const std::string& each : c.texts) texts.append(text_of(each));
  return texts;
}

std::vector<std::string> strings_of(const std::vector<nb::bytes>& all) {
  std::vector<std::string> strings;
  for (const nb::bytes& each : all) strings.emplace_back(each.c_str(), each.size());
  return strings;
}

nb::tuple group_files(const std::vector<nb::bytes>& paths, const std::vector<nb::bytes>& by,
                      const std::vector<std::pair<std::string, nb::bytes>>& results,
                      std::optional<bool> header, const std::string& separator, bool quotes,
                      const std::vector<nb::bytes>& nulls, bool skip_bad) {
  group_query query;
  query.header = header;
  if (!separator.empty()) query.separator = separator.front();
  query.quotes = quotes;
  query.nulls = strings_of(nulls);
  query.skip_bad = skip_bad;
  query.paths = strings_of(paths);
  query.by = strings_of(by);
  for (const auto& [operation, column] : results)
    query.results.push_back({aggregate_of(operation), {column.c_str(), column.size()}});
  answer a = call([query](const graph::progress_hook& hook) mutable {
    query.progress = [&hook](std::uint64_t done, std::uint64_t total) { hook("grouping", done, total); };
    const grouped_rows groups = group_by(query);
    answer all;
    all.columns.resize(groups.columns().size());
    all.keys = groups.key_columns();
    all.rows = groups.statistics().records;
    all.skipped = groups.statistics().skipped;
    all.first_skipped = groups.statistics().first_skipped;
    groups.for_each({}, [&all, &query](std::span<const group_value> row) {
      for (std::size_t i = 0; i < row.size(); ++i)
        i < all.keys ? add_key(all.columns[i], row[i])
                     : add_result(all.columns[i], row[i], query.results[i - all.keys].what == aggregate::sum);
    });
    return all;
  });
  nb::list columns;
  for (std::size_t i = 0; i < a.columns.size(); ++i) columns.append(object_of(a.columns[i], i < a.keys));
  return nb::make_tuple(columns, a.rows, a.skipped, text_of(a.first_skipped));
}

}  // namespace

void bind_group_files(nb::module_& m) {
  m.def("group_files", &group_files, "paths"_a, "by"_a, "results"_a, "header"_a.none(), "separator"_a,
        "quotes"_a, "nulls"_a, "skip_bad"_a,
        "Group the rows of files. results: operation and column. Return the columns of the key and of the "
        "results, how many rows there are, how many were left out, and the first of those.");
}

}  // namespace gossamer::python
