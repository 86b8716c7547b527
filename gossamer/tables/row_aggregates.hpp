#pragma once
// Aggregates of groups of rows in memory, after number_rows(): a loop over the rows' numbers for each result.
// Element g of an answer belongs to group g. Every function is called by one fiber of the process that has
// the rows, and suspends; its cores share the work.
//
// With few groups, every core has a cell for each of them, for the rows that it reads; the cells are joined.
// With many groups, every core has a range of them, and reads all rows.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/base/wide_integer.hpp"
#include "gossamer/tables/row_numbers.hpp"

namespace gossamer {

/// Returns the number of rows of each group.
std::vector<std::int64_t> count_rows(const row_numbers& rows);

/// Adds up values, one for each row. The sum is exact.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same for unsigned integers.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same for integers of 128 bits. Throws gossamer::error if a sum exceeds them. `column` names the
/// values in the error.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const wide_integer> values,
                                   std::string_view column);
/// Adds up values, one for each row, with compensation of rounding errors (Knuth's two-sum). Nearly always, a
/// sum depends on the cores in the last digit at most. NaN makes it NaN.
std::vector<double> sum_rows(const row_numbers& rows, std::span<const double> values);

/// Finds the least value of each group.
std::vector<std::int64_t> least_of_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same for unsigned integers.
std::vector<std::uint64_t> least_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same for integers of 128 bits.
std::vector<wide_integer> least_of_rows(const row_numbers& rows, std::span<const wide_integer> values);
/// Does the same for reals. NaN makes the result NaN.
std::vector<double> least_of_rows(const row_numbers& rows, std::span<const double> values);

/// Finds the largest value of each group.
std::vector<std::int64_t> largest_of_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same for unsigned integers.
std::vector<std::uint64_t> largest_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same for integers of 128 bits.
std::vector<wide_integer> largest_of_rows(const row_numbers& rows, std::span<const wide_integer> values);
/// Does the same for reals. NaN makes the result NaN.
std::vector<double> largest_of_rows(const row_numbers& rows, std::span<const double> values);

}  // namespace gossamer
