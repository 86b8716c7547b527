#pragma once
// Rows of an Arrow table grouped by a column, on the MapReduce engine: count, sum, least and largest value of another column in each
// group. For tables in memory; files are grouped by gossamer/mapreduce/group_by.hpp.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arrow_table.hpp"
#include "gossamer/graph/formats/progress.hpp"

namespace gossamer::python {

/// Results of a column of integers, or of reals, by group.
template <class T>
struct group_values {
  std::vector<T> sums, least, largest;
};

/// All groups, in the order of their keys: integers by value, texts by their bytes.
struct grouped_table {
  std::variant<std::vector<std::int64_t>, std::vector<std::string>> keys;
  std::vector<std::uint64_t> counts;
  std::variant<group_values<std::int64_t>, group_values<double>>
      values;  ///< empty without a column of values
};

/// Groups the rows. `key`: integers or texts; `values`: integers or reals. By one fiber; suspends. Takes 8 bytes a row for columns of
/// integers or reals that are not of 64 bits in one chunk, and 16 bytes a row for texts. Each core keeps its groups. Sums of integers
/// are exact: one beyond 64 bits is an error. Other sums are compensated, so they depend on the cores in the last digit at most,
/// nearly always. NaN makes a sum NaN, and is passed over by the least and the largest. Throws gossamer::error for nulls and for other
/// types. Needs no GIL.
grouped_table group_table(const arrow_column& key, const std::optional<arrow_column>& values,
                          const graph::progress_hook& hook);

}  // namespace gossamer::python
