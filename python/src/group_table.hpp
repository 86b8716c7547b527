#pragma once
// Rows of an Arrow table grouped by columns: count, sum, least and largest value of other columns in each group. Rows are numbered by
// their keys, then each result is a loop over numbers (gossamer/tables/row_aggregates.hpp). For tables in memory; files are grouped
// by gossamer/tables/group_by.hpp.

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "arrow_table.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "row_keys.hpp"

namespace gossamer::python {

/// What is computed of a column of integers, reals, Booleans (0 and 1) or decimals (without their point).
struct wanted_values {
  arrow_column column;
  bool sums = false, least = false, largest = false, means = false;
};

/// Results of a column of numbers by group: those that are wanted, others are empty.
template <class T>
struct group_values {
  std::vector<std::conditional_t<std::is_same_v<T, double>, double, wide_integer>> sums;
  std::vector<T> least, largest;
  std::vector<double> means;  ///< rounded once where values are integers
  std::vector<std::int64_t>
      counts;  ///< of values; empty where the column has no null. A group without a value has zeros
};

/// All groups, in the order of their keys: of the first column, then of the second; integers by value, texts by their bytes.
struct grouped_table {
  std::vector<key_column> keys;
  std::vector<std::vector<std::int64_t>> null_keys;  ///< for each of them the groups in which it is null
  std::vector<std::int64_t> counts;  ///< empty where they are not wanted
  /// Of each column of values.
  std::vector<std::variant<group_values<std::int64_t>, group_values<std::uint64_t>,
                           group_values<wide_integer>, group_values<double>>>
      values;
};

/// Groups the rows. `keys`: at least one column, of integers, reals, dates, Booleans or texts. By one fiber; suspends. One pass over the rows for each result.
/// Takes the memory of row_keys, and 8 bytes a row for values that are not of 64 bits in one chunk, 20 for those with nulls, which are
/// passed over. Each core takes 8 to 16 bytes for
/// each group, all of them together at most as much for each row. Sums of integers are exact. Other sums are compensated, so
/// they depend on the cores in the last digit at most, nearly always. NaN makes all results NaN. Throws gossamer::error for other types, and for sums of
/// decimals beyond 128 bits. Needs no GIL.
grouped_table group_table(const std::vector<arrow_column>& keys, bool counts,
                          const std::vector<wanted_values>& values, const graph::progress_hook& hook);

}  // namespace gossamer::python
