#pragma once
// Numbers the rows of columns in memory by their keys. What is computed of groups then needs no key: cells are an array, and a row's
// number is its cell (row_aggregates.hpp).
//
//   const row_numbers groups = number_rows(keys);
//   const std::vector<double> sums = sum_rows(groups, prices);
//   // Group g: the key is keys[groups.row_of[g]], the sum is sums[g].

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer {

/// The rows of one process by group. Moved, not copied.
struct row_numbers {
  /// For each row the number of its group. Groups have the order of their keys.
  machine::zeroed_array<std::uint32_t> of_row = {};
  std::vector<std::uint64_t> row_of = {};  ///< a row of each group: any of them

  /// Counts the rows.
  std::uint64_t rows() const { return of_row.size(); }
  /// Counts the groups.
  std::uint64_t groups() const { return row_of.size(); }
};

/// The least of some integers, and how far the largest is from it.
struct integer_range {
  std::int64_t least = 0;  ///< the least one
  std::uint64_t last = 0;  ///< the distance of the largest one

  /// Returns the distance of a value from the least one.
  std::uint64_t distance(std::int64_t value) const {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
  }
};

/// Returns the range of some integers; of none it is that of 0. Called as number_rows() is.
integer_range range_of(std::span<const std::int64_t> values);

/// Returns an integer for a real: they are ordered as the reals are. Zeros have one, and NaN has one, which is the last.
std::int64_t order_code(double real);
/// Returns the real of such an integer.
double real_of_order_code(std::int64_t code);

/// Writes the texts of the rows from `first` on, as many as there is room for. Called on all cores of the process at once. The texts
/// stay as long as the function.
using read_texts = function_ref<void(std::uint64_t first, std::span<std::string_view> to)>;

/// Numbers rows by integers, on all cores of the calling process. By one fiber; suspends. Keys of a small range are looked up in
/// arrays, others in a hash table on each core, whose keys are sorted and merged: the last merge is one core's. Takes 4 bytes a row, at
/// most 4 further ones for arrays, and for hash tables up to 120 bytes for each key that a core has seen.
/// Throws gossamer::error for more than 2^31 different keys.
row_numbers number_rows(std::span<const std::int64_t> keys);
/// Numbers rows by texts, in the order of their bytes. As for integers, by hash tables; texts of 16 bytes and more are copied once
/// on each core.
row_numbers number_rows(std::uint64_t rows, read_texts texts);

}  // namespace gossamer
