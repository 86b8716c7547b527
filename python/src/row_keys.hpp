#pragma once
// The keys of a table's rows, of one column or several, as numbers of groups. Nothing else knows how several columns make one key:
//
//   column of integers   its distance from the least one; dates are counts of days or of parts of a second, Booleans are 0 and 1
//   column of reals      order_code() of each
//   column of texts      the number of the text among those of the column, in the order of bytes
//   column with nulls    two digits: whether the row is null, then the value; that of a null is 0 or no text. So they are the last
//   several columns      digits of one number, the first column the highest. Where it would exceed 63 bits, the columns so far, or
//                        the next one, are numbered first.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "arrow_table.hpp"
#include "arrow_values.hpp"
#include "gossamer/tables/row_numbers.hpp"

namespace gossamer::python {

/// A column of the keys of groups.
using key_column = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>,
                                std::vector<std::string>, std::vector<double>>;

/// The keys of all rows. Moved, not copied. The table outlives it.
class row_keys {
 public:
  /// Numbers the rows. `columns`: at least one, of integers, reals, dates, Booleans or texts. By one fiber; suspends. Takes 8 bytes a row for each column of
  /// integers that are not of 64 bits in one chunk, of reals, and for several columns 8 bytes a row more; further what number_rows() takes.
  /// Throws gossamer::error for other types.
  explicit row_keys(const std::vector<arrow_column>& columns);

  /// Returns the rows by group: of the first column in order, then of the second; integers by value, texts by their bytes.
  const row_numbers& groups() const { return groups_; }
  /// Returns the columns of the keys of groups, in the same order.
  std::vector<key_column> columns() const;
  /// Returns for each column the groups in which it is null.
  std::vector<std::vector<std::int64_t>> null_groups() const;

 private:
  struct field {
    std::variant<values_as<std::int64_t>, std::vector<std::int64_t>, column_texts> values;
    bool are_reals = false;  // the values are their codes
    bool are_unsigned = false;  // the values are 2^63 less
    std::vector<std::uint8_t> nulls = {};  // by row; empty: none

    /// Returns the numbers; nothing for texts.
    std::optional<std::span<const std::int64_t>> numbers() const;
    /// Reads texts from a row on.
    void read(std::uint64_t first, std::span<std::string_view> to) const;
  };

  static field field_of(const arrow_column& c);
  static row_numbers number(const field& f, std::uint64_t rows);
  row_numbers number_several(std::uint64_t rows) const;

  std::vector<field> fields_;
  row_numbers groups_;
};

}  // namespace gossamer::python
