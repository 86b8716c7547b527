#pragma once
// Numbers the rows of columns in memory by their keys. Aggregates of groups then need no keys: cells are an
// array, indexed by a row's number (row_aggregates.hpp).
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

  /// Returns the number of rows.
  std::uint64_t rows() const { return of_row.size(); }
  /// Returns the number of groups.
  std::uint64_t groups() const { return row_of.size(); }
};

/// The range of some integers.
struct integer_range {
  std::int64_t least = 0;  ///< the least integer
  std::uint64_t last = 0;  ///< the difference between the largest and the least one

  /// Returns the difference between a value and the least one.
  std::uint64_t distance(std::int64_t value) const {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
  }
};

/// Returns the range of some integers; for none, that of 0. Called like number_rows().
integer_range range_of(std::span<const std::int64_t> values);

/// Returns an integer code for a real. Codes compare like reals. Both zeros have the same code, and all NaNs
/// have the last one.
std::int64_t order_code(double real);
/// Returns the real of such a code.
double real_of_order_code(std::int64_t code);

/// Writes the texts of the rows from `first` on, to.size() of them. Called on all cores of the process
/// concurrently. The texts must stay valid as long as the function.
using read_texts = function_ref<void(std::uint64_t first, std::span<std::string_view> to)>;

/// Numbers rows by integers, on all cores of the calling process. By one fiber; suspends. Keys of a small
/// range are looked up in arrays, others in a hash table on each core, whose keys are sorted and merged: one
/// core does the last merge. Takes 4 bytes per row, at most 4 additional ones for arrays, and for hash tables
/// up to 120 bytes for each key that a core has seen. Throws gossamer::error for more than 2^31 distinct
/// keys.
row_numbers number_rows(std::span<const std::int64_t> keys);
/// Numbers rows by texts, in byte order. As for integers, by hash tables; texts of 16 bytes and more are
/// copied once on each core.
row_numbers number_rows(std::uint64_t rows, read_texts texts);

}  // namespace gossamer
