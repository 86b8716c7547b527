#pragma once
// What is computed of each group of rows in memory, after number_rows(): a loop over the rows' numbers for each result. Element g of an
// answer belongs to group g. Every function is for one fiber of the process that has the rows, and suspends; its cores share the work.
//
// Where groups are few, every core has a cell for each of them, for the rows that it takes; the cells are joined. Where they
// are many, every core has a range of the groups, and passes over all rows.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/base/wide_integer.hpp"
#include "gossamer/tables/row_numbers.hpp"

namespace gossamer {

/// Counts the rows of each group.
std::vector<std::int64_t> count_rows(const row_numbers& rows);

/// Adds up values, one for each row. The sum is exact.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same of integers without a sign.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same of integers of 128 bits. Throws gossamer::error where a sum is beyond them. `column` names the values in the error.
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const wide_integer> values,
                                   std::string_view column);
/// Adds up values, one for each row. The rounding errors are added up, too (Knuth's two-sum): a sum depends on the cores in the last
/// digit at most, nearly always. NaN makes it NaN.
std::vector<double> sum_rows(const row_numbers& rows, std::span<const double> values);

/// Finds the least value of each group.
std::vector<std::int64_t> least_of_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same of integers without a sign.
std::vector<std::uint64_t> least_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same of integers of 128 bits.
std::vector<wide_integer> least_of_rows(const row_numbers& rows, std::span<const wide_integer> values);
/// Does the same of reals. NaN makes it NaN.
std::vector<double> least_of_rows(const row_numbers& rows, std::span<const double> values);

/// Finds the largest value of each group.
std::vector<std::int64_t> largest_of_rows(const row_numbers& rows, std::span<const std::int64_t> values);
/// Does the same of integers without a sign.
std::vector<std::uint64_t> largest_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values);
/// Does the same of integers of 128 bits.
std::vector<wide_integer> largest_of_rows(const row_numbers& rows, std::span<const wide_integer> values);
/// Does the same of reals. NaN makes it NaN.
std::vector<double> largest_of_rows(const row_numbers& rows, std::span<const double> values);

}  // namespace gossamer
