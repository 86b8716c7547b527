#pragma once
// The keys of a table's rows as the MapReduce engine takes them: a number or a text for each row. Nothing else knows how several
// columns make one key.
//
//   one column               its integers, in place where they lie so, or views of its texts
//   several of integers      one number, where the ranges of the columns multiply up to at most 2^63: digits of a mixed radix
//   others                   a text of one field after another, so that the order of bytes is the order of the columns:
//                              integer   its distance from the least, in as many bytes as the largest needs, the highest first
//                              text      a zero byte as 0 1, the end as 0 0; the last column's bytes are as they are

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arrow_table.hpp"
#include "arrow_values.hpp"

namespace gossamer::python {

/// A column of the keys of groups.
using key_column = std::variant<std::vector<std::int64_t>, std::vector<std::string>>;

/// The keys of all rows. Moved, not copied. The table outlives it.
class row_keys {
 public:
  /// Makes the keys. `columns`: at least one, of integers or texts. By one fiber; suspends. Takes 8 bytes a row for integers that are
  /// not of 64 bits in one chunk, 16 bytes a row for texts; several columns take 8 bytes a row more as numbers, or 16 and up to twice the text.
  /// Throws gossamer::error for nulls and for other types.
  explicit row_keys(const std::vector<arrow_column>& columns);

  /// Returns whether keys are numbers. The one of integers() and texts() that is asked for then has all rows.
  bool are_integers() const { return are_integers_; }
  std::span<const std::int64_t> integers() const { return integers_; }
  std::span<const std::string_view> texts() const { return texts_; }

  /// Returns the columns of the keys of groups, in the same order.
  std::vector<key_column> columns_of(std::vector<std::int64_t> keys) const;
  std::vector<key_column> columns_of(std::vector<std::string> keys) const;

 private:
  /// A column of the table.
  struct field {
    std::optional<values_as<std::int64_t>> integers;  // none: texts
    std::vector<std::string_view> texts;
    integer_range range;
    unsigned bytes = 0;  // of an integer in a text
    bool last = false;

    std::size_t most_bytes(std::uint64_t row) const;
    char* write(std::uint64_t row, char* to) const;
    std::int64_t take_integer(std::string_view& from) const;
    std::string take_text(std::string_view& from) const;
  };

  bool ranges_fit_a_number() const;
  void make_numbers(std::uint64_t rows);
  void make_texts(std::uint64_t rows);

  std::vector<field> fields_;
  bool are_integers_ = false;
  std::span<const std::int64_t> integers_;
  std::span<const std::string_view> texts_;
  std::unique_ptr<std::int64_t[]> numbers_;  // of several columns
  std::unique_ptr<std::string_view[]> views_;
  std::vector<std::unique_ptr<char[]>> blocks_;  // what the views refer to
};

}  // namespace gossamer::python
