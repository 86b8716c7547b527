#include "group_table.hpp"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "arrow_values.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/tables/row_aggregates.hpp"

namespace gossamer::python {
namespace {

template <class T>
auto sums_of(const row_numbers& rows, std::span<const T> values, std::string_view column) {
  if constexpr (std::is_same_v<T, wide_integer>)
    return sum_rows(rows, values, column);
  else
    return sum_rows(rows, values);
}

/// Divides sums by counts; of nothing it is NaN.
template <class T>
std::vector<double> means_of(const std::vector<T>& sums, const std::vector<std::int64_t>& counts) {
  std::vector<double> means(sums.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t g = 0; g < sums.size(); ++g)
    if (counts[g] != 0) {
      if constexpr (std::is_same_v<T, double>)
        means[g] = sums[g] / static_cast<double>(counts[g]);
      else
        means[g] = nearest_quotient(sums[g], static_cast<std::uint64_t>(counts[g]));
    }
  return means;
}

/// Returns the numbers of some rows.
row_numbers some_of(const row_numbers& rows, const std::vector<std::uint64_t>& which) {
  row_numbers some{
      machine::zeroed_array<std::uint32_t>(which.size(), "numbers of rows", machine::pages::huge),
      rows.row_of};
  for (std::size_t i = 0; i < which.size(); ++i) some.of_row[i] = rows.of_row[which[i]];
  return some;
}

template <class T>
group_values<T> values_of(const row_numbers& rows, const wanted_values& wanted, const values_as<T>& values) {
  group_values<T> results;
  if (wanted.sums || wanted.means) results.sums = sums_of(rows, values.all(), wanted.column.name());
  if (wanted.means) results.means = means_of(results.sums, count_rows(rows));
  if (wanted.least) results.least = least_of_rows(rows, values.all());
  if (wanted.largest) results.largest = largest_of_rows(rows, values.all());
  return results;
}

template <class T>
group_values<T> values_of(const row_numbers& rows, const wanted_values& wanted) {
  const values_as<T> values(wanted.column);
  if (!wanted.column.has_nulls()) return values_of(rows, wanted, values);
  const std::vector<std::uint64_t> there = wanted.column.rows_with_values();
  const row_numbers some = some_of(rows, there);
  group_values<T> results = values_of(some, wanted, values_as<T>(values, there));
  results.counts = count_rows(some);
  return results;
}

}  // namespace

grouped_table group_table(const std::vector<arrow_column>& keys, bool counts,
                          const std::vector<wanted_values>& values, const graph::progress_hook& hook) {
  for (const wanted_values& v : values) {
    const arrow_column& c = v.column;
    if (c.kind() != arrow_kind::integers && c.kind() != arrow_kind::reals &&
        c.kind() != arrow_kind::booleans && c.kind() != arrow_kind::decimals)
      throw error(
          fmt::format("column {}: expected numbers, found the Arrow type \"{}\"", c.name(), c.format()));
  }
  std::uint64_t done = 0;
  const auto report = [&] { graph::report(hook, "grouping", done++, values.size() + 2); };
  report();
  const row_keys of_rows(keys);
  const row_numbers& rows = of_rows.groups();
  report();
  grouped_table table{of_rows.columns(), of_rows.null_groups(), {}, {}};
  if (counts) table.counts = count_rows(rows);
  for (const wanted_values& v : values) {
    report();
    if (v.column.kind() == arrow_kind::reals)
      table.values.emplace_back(values_of<double>(rows, v));
    else if (v.column.kind() == arrow_kind::decimals)
      table.values.emplace_back(values_of<wide_integer>(rows, v));
    else if (v.column.format() == "L")
      table.values.emplace_back(values_of<std::uint64_t>(rows, v));
    else
      table.values.emplace_back(values_of<std::int64_t>(rows, v));
  }
  report();
  return table;
}

}  // namespace gossamer::python
