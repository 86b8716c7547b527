#include "row_keys.hpp"

#include <optional>
#include <utility>

#include "gossamer/parallel/local.hpp"

namespace gossamer::python {
namespace {

/// Makes one number of each row: digits of columns, the first column the highest.
class mixed_radix {
 public:
  explicit mixed_radix(std::uint64_t rows)
      : rows_(rows), numbers_(std::make_unique_for_overwrite<std::int64_t[]>(rows)) {}

  /// Appends a digit to each row's number: the distance of a value.
  void append(std::span<const std::int64_t> values) {
    const integer_range range = range_of(values);
    const auto radix = static_cast<unsigned __int128>(range.last) + 1;
    if (radix * values_ > k_most) return append(number_rows(values));
    append(range.last + 1, [values, range](std::uint64_t i) { return range.distance(values[i]); });
  }
  /// Does the same with the number of a group.
  void append(const row_numbers& groups) {
    if (static_cast<unsigned __int128>(groups.groups()) * values_ > k_most) {
      const row_numbers before = number_rows(numbers());
      values_ = 1;
      append(before);
    }
    append(groups.groups(), [of_row = groups.of_row.data()](std::uint64_t i) { return of_row[i]; });
  }
  std::span<const std::int64_t> numbers() const { return {numbers_.get(), rows_}; }

 private:
  static constexpr std::uint64_t k_most = std::uint64_t{1} << 63;

  template <class Digit>
  void append(std::uint64_t radix, Digit digit) {
    constexpr std::uint64_t k_at_once = 1 << 14;
    const auto set_each = [&](auto number_of) {
      local::forall_chunks(0, rows_, k_at_once,
                           [number_of, numbers = numbers_.get()](std::uint64_t i, std::uint64_t end) {
                             for (; i < end; ++i) numbers[i] = static_cast<std::int64_t>(number_of(i));
                           });
    };
    if (values_ == 1)  // numbers are not set yet, or all alike
      set_each(digit);
    else
      set_each([radix, digit, numbers = numbers_.get()](std::uint64_t i) {
        return static_cast<std::uint64_t>(numbers[i]) * radix + digit(i);
      });
    values_ *= radix;
  }

  std::uint64_t rows_;
  std::uint64_t values_ = 1;  // that numbers may have
  std::unique_ptr<std::int64_t[]> numbers_;
};

}  // namespace

row_keys::row_keys(const std::vector<arrow_column>& columns) {
  for (const arrow_column& c : columns) {
    c.refuse_nulls();
    if (c.kind() != arrow_kind::texts)
      fields_.emplace_back(values_as<std::int64_t>(c));
    else
      fields_.emplace_back(column_texts(c));
  }
  const std::uint64_t rows = columns[0].size();
  groups_ = fields_.size() == 1 ? number(fields_[0], rows) : number_several(rows);
}

row_numbers row_keys::number(const field& f, std::uint64_t rows) {
  if (const auto* const integers = std::get_if<values_as<std::int64_t>>(&f))
    return number_rows(integers->all());
  return number_rows(
      rows, [&texts = std::get<column_texts>(f)](std::uint64_t first, std::span<std::string_view> to) {
        texts.read(first, to);
      });
}

row_numbers row_keys::number_several(std::uint64_t rows) const {
  mixed_radix keys(rows);
  for (const field& f : fields_)
    if (const auto* const integers = std::get_if<values_as<std::int64_t>>(&f))
      keys.append(integers->all());
    else
      keys.append(number(f, rows));
  return number_rows(keys.numbers());
}

std::vector<key_column> row_keys::columns() const {
  std::vector<key_column> columns;
  for (const field& f : fields_) {
    const auto take_each = [&]<class T>(std::vector<T> values, const auto& value) {
      values.reserve(groups_.groups());
      for (const std::uint64_t row : groups_.row_of) values.emplace_back(value(row));
      columns.emplace_back(std::move(values));
    };
    if (const auto* const integers = std::get_if<values_as<std::int64_t>>(&f))
      take_each(std::vector<std::int64_t>(), [&](std::uint64_t row) { return integers->all()[row]; });
    else
      take_each(std::vector<std::string>(), [&](std::uint64_t row) {
        std::string_view text;
        std::get<column_texts>(f).read(row, {&text, 1});
        return text;
      });
  }
  return columns;
}

}  // namespace gossamer::python
