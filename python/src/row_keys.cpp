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

constexpr std::uint64_t k_highest_bit = std::uint64_t{1} << 63;

/// Returns whether a column has integers that 64 bits with a sign do not hold.
bool has_large_integers(const arrow_column& c) {
  bool found = false;
  if (c.kind() == arrow_kind::integers)
    c.for_each_chunk([&]<class T>(const T* values, std::uint64_t n) {
      if constexpr (std::is_same_v<T, std::uint64_t>)
        for (std::uint64_t i = 0; i < n && !found; ++i)
          found = arrow_load<T>(values, static_cast<std::int64_t>(i)) >= k_highest_bit;
    });
  return found;
}

}  // namespace

std::optional<std::span<const std::int64_t>> row_keys::field::numbers() const {
  if (const auto* const in_place = std::get_if<values_as<std::int64_t>>(&values)) return in_place->all();
  if (const auto* const own = std::get_if<std::vector<std::int64_t>>(&values)) return *own;
  return {};
}

void row_keys::field::read(std::uint64_t first, std::span<std::string_view> to) const {
  std::get<column_texts>(values).read(first, to);
  if (nulls.empty()) return;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (nulls[first + i] != 0) to[i] = "";
}

row_keys::field row_keys::field_of(const arrow_column& c) {
  std::vector<std::uint8_t> nulls = c.nulls();
  if (c.kind() == arrow_kind::texts) return {column_texts(c), false, false, std::move(nulls)};
  const bool are_reals = c.kind() == arrow_kind::reals;
  const bool are_unsigned = has_large_integers(c);
  if (!are_reals && !are_unsigned && nulls.empty()) return {values_as<std::int64_t>(c)};
  std::vector<std::int64_t> own;
  if (are_reals) {
    const values_as<double> reals(c);
    own.reserve(reals.all().size());
    for (const double v : reals.all()) own.push_back(order_code(v));
  } else if (are_unsigned) {
    const values_as<std::uint64_t> integers(c);
    own.reserve(integers.all().size());
    for (const std::uint64_t v : integers.all()) own.push_back(static_cast<std::int64_t>(v ^ k_highest_bit));
  } else {
    const values_as<std::int64_t> integers(c);
    own.assign(integers.all().begin(), integers.all().end());
  }
  for (std::size_t i = 0; i < nulls.size(); ++i)
    if (nulls[i] != 0) own[i] = 0;
  return {std::move(own), are_reals, are_unsigned, std::move(nulls)};
}

row_keys::row_keys(const std::vector<arrow_column>& columns) {
  for (const arrow_column& c : columns) fields_.push_back(field_of(c));
  const std::uint64_t rows = columns[0].size();
  groups_ = fields_.size() == 1 && fields_[0].nulls.empty() ? number(fields_[0], rows) : number_several(rows);
}

row_numbers row_keys::number(const field& f, std::uint64_t rows) {
  if (const auto numbers = f.numbers()) return number_rows(*numbers);
  return number_rows(rows, [&f](std::uint64_t first, std::span<std::string_view> to) { f.read(first, to); });
}

row_numbers row_keys::number_several(std::uint64_t rows) const {
  mixed_radix keys(rows);
  for (const field& f : fields_) {
    if (!f.nulls.empty()) keys.append(std::vector<std::int64_t>(f.nulls.begin(), f.nulls.end()));
    if (const auto numbers = f.numbers())
      keys.append(*numbers);
    else
      keys.append(number(f, rows));
  }
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
    const auto numbers = f.numbers();
    if (f.are_reals)
      take_each(std::vector<double>(),
                [&](std::uint64_t row) { return real_of_order_code((*numbers)[row]); });
    else if (f.are_unsigned)
      take_each(std::vector<std::uint64_t>(), [&](std::uint64_t row) {
        return static_cast<std::uint64_t>((*numbers)[row]) ^ k_highest_bit;
      });
    else if (numbers)
      take_each(std::vector<std::int64_t>(), [&](std::uint64_t row) { return (*numbers)[row]; });
    else
      take_each(std::vector<std::string>(), [&](std::uint64_t row) {
        std::string_view text;
        f.read(row, {&text, 1});
        return text;
      });
  }
  return columns;
}

std::vector<std::vector<std::int64_t>> row_keys::null_groups() const {
  std::vector<std::vector<std::int64_t>> all(fields_.size());
  for (std::size_t k = 0; k < fields_.size(); ++k)
    if (!fields_[k].nulls.empty())
      for (std::size_t g = 0; g < groups_.row_of.size(); ++g)
        if (fields_[k].nulls[groups_.row_of[g]] != 0) all[k].push_back(static_cast<std::int64_t>(g));
  return all;
}

}  // namespace gossamer::python
