#pragma once
// Rows of an Arrow table grouped by columns: count, sum, least and largest value of other columns in each group. Rows are numbered by
// their keys, then each result is a loop over numbers (gossamer/mapreduce/row_aggregates.hpp). For tables in memory; files are grouped
// by gossamer/mapreduce/group_by.hpp.

#include <cstdint>
#include <variant>
#include <vector>

#include "arrow_table.hpp"
#include "gossamer/graph/formats/progress.hpp"
#include "row_keys.hpp"

namespace gossamer::python {

/// What is computed of a column of integers or reals.
struct wanted_values {
  arrow_column column;
  bool sums = false, least = false, largest = false;
};

/// Results of a column of integers, or of reals, by group: those that are wanted, others are empty.
template <class T>
struct group_values {
  std::vector<T> sums, least, largest;
  std::vector<std::int64_t>
      counts;  ///< of values; empty where the column has no null. A group without a value has zeros
};

/// All groups, in the order of their keys: of the first column, then of the second; integers by value, texts by their bytes.
struct grouped_table {
  std::vector<key_column> keys;
  std::vector<std::int64_t> counts;  ///< empty where they are not wanted
  /// Of each column of values.
  std::vector<std::variant<group_values<std::int64_t>, group_values<double>>> values;
};

/// Groups the rows. `keys`: at least one column, of integers, dates, Booleans or texts. By one fiber; suspends. One pass over the rows for each result.
/// Takes the memory of row_keys, and 8 bytes a row for values that are not of 64 bits in one chunk, 20 for those with nulls, which are
/// passed over. Each core takes 8 to 16 bytes for
/// each group, all of them together at most as much for each row. Sums of integers are exact: one beyond 64 bits is an error. Other sums are compensated, so
/// they depend on the cores in the last digit at most, nearly always. NaN makes a sum NaN, and is passed over by the least and the
/// largest. Throws gossamer::error for nulls in keys and for other types. Needs no GIL.
grouped_table group_table(const std::vector<arrow_column>& keys, bool counts,
                          const std::vector<wanted_values>& values, const graph::progress_hook& hook);

}  // namespace gossamer::python
