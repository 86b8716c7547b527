#include "gossamer/tables/row_aggregates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/tables/internal/is_first.hpp"

namespace gossamer {
namespace {

// A cell is a core's partial result for a group. A cell of zero bytes is empty.

struct count_cell {
  std::int64_t count;

  void add(std::int64_t) { ++count; }
  void join(const count_cell& b) { count += b.count; }
  std::int64_t result() const { return count; }
};

/// Holds any sum of 2^63 integers of 64 bits.
struct integer_sum_cell {
  wide_integer sum;

  template <class T>
  void add(T v) {
    sum += v;
  }
  void join(const integer_sum_cell& b) { sum += b.sum; }
  wide_integer result() const { return sum; }
};

/// Stores sums of integers of 128 bits: the lowest 128 bits, and the number of overflows.
struct wide_sum_cell {
  wide_integer sum;
  std::int64_t carries;

  void add(wide_integer v) {
    if (__builtin_add_overflow(sum, v, &sum)) carries += v < 0 ? -1 : 1;
  }
  void join(const wide_sum_cell& b) {
    add(b.sum);
    carries += b.carries;
  }
  wide_integer result() const { return sum; }
};

struct real_sum_cell {
  double high, low;

  void add(double v) {
    const double s = high + v;
    const double back = s - high;
    low += (high - (s - back)) + (v - back);
    high = s;
  }
  void join(const real_sum_cell& b) {
    add(b.high);
    low += b.low;
  }
  /// Out of the range of doubles the rounding error is NaN, and is not added.
  double result() const { return std::isfinite(high) ? high + low : high; }
};

/// The first of the values in an order, with NaN before all.
template <class T, class Less>
struct extreme_cell {
  T value;
  bool taken;

  void add(T v) {
    if (!taken || tables::is_first<Less>(v, value)) value = v;
    taken = true;
  }
  void join(const extreme_cell& b) {
    if (b.taken) add(b.value);
  }
  T result() const { return value; }
};

/// Returns the cells of all groups.
template <class Cell, class Values>
machine::zeroed_array<Cell> fill_cells(const row_numbers& rows, Values values) {
  const auto cells = [groups = rows.groups()] {
    return machine::zeroed_array<Cell>(groups, "cells of groups", machine::pages::huge);
  };
  machine::zeroed_array<Cell> all = cells();
  const unsigned team = local::cores();
  constexpr std::uint64_t k_at_once = 1 << 14;  // rows or groups that a core takes at once
  constexpr std::uint64_t k_few = 1 << 14;
  if (rows.groups() > std::max(k_few, rows.rows() / team)) {
    local::forall_chunks(0, team, 1,
                         [=, numbers = rows.of_row.data(), n = rows.rows(), groups = rows.groups(),
                          all = all.data()](std::uint64_t range, std::uint64_t) {
                           const std::uint64_t begin = parallel::block_begin(0, groups, range, team);
                           const std::uint64_t size =
                               parallel::block_begin(0, groups, range + 1, team) - begin;
                           for (std::uint64_t i = 0; i < n; ++i)
                             if (const std::uint64_t g = numbers[i] - begin; g < size)
                               all[begin + g].add(values[i]);
                         });
    return all;
  }
  const local::scoped_per_core<machine::zeroed_array<Cell>> of_cores;
  for (unsigned c = 0; c < team; ++c) of_cores.at(c) = cells();
  local::forall_chunks(0, rows.rows(), k_at_once,
                       [values, numbers = rows.of_row.data(), of_cores = of_cores.handle()](
                           std::uint64_t i, std::uint64_t end) {
                         Cell* const mine = of_cores.here().data();
                         for (; i < end; ++i) mine[numbers[i]].add(values[i]);
                       });
  local::forall_chunks(
      0, rows.groups(), k_at_once,
      [team, all = all.data(), of_cores = of_cores.handle()](std::uint64_t begin, std::uint64_t end) {
        for (unsigned c = 0; c < team; ++c)
          for (std::uint64_t g = begin; g < end; ++g) all[g].join(of_cores.at(c)[g]);
      });
  return all;
}

template <class T, class Cell>
std::vector<T> results_of(const machine::zeroed_array<Cell>& cells) {
  std::vector<T> results(cells.size());
  for (std::size_t g = 0; g < cells.size(); ++g) results[g] = cells[g].result();
  return results;
}

template <class Less, class T>
std::vector<T> extremes(const row_numbers& rows, std::span<const T> values) {
  return results_of<T>(fill_cells<extreme_cell<T, Less>>(rows, values.data()));
}

/// Values that are not read.
struct no_values {
  std::int64_t operator[](std::uint64_t) const { return 0; }
};

}  // namespace

std::vector<std::int64_t> count_rows(const row_numbers& rows) {
  return results_of<std::int64_t>(fill_cells<count_cell>(rows, no_values()));
}

std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::int64_t> values) {
  return results_of<wide_integer>(fill_cells<integer_sum_cell>(rows, values.data()));
}
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const std::uint64_t> values) {
  return results_of<wide_integer>(fill_cells<integer_sum_cell>(rows, values.data()));
}
std::vector<wide_integer> sum_rows(const row_numbers& rows, std::span<const wide_integer> values,
                                   std::string_view column) {
  const machine::zeroed_array<wide_sum_cell> sums = fill_cells<wide_sum_cell>(rows, values.data());
  for (std::size_t g = 0; g < sums.size(); ++g)
    if (sums[g].carries != 0)
      throw error(fmt::format("column {}: expected a sum of each group within 128 bits", column));
  return results_of<wide_integer>(sums);
}

std::vector<double> sum_rows(const row_numbers& rows, std::span<const double> values) {
  return results_of<double>(fill_cells<real_sum_cell>(rows, values.data()));
}

std::vector<std::int64_t> least_of_rows(const row_numbers& rows, std::span<const std::int64_t> values) {
  return extremes<std::less<>>(rows, values);
}
std::vector<std::uint64_t> least_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values) {
  return extremes<std::less<>>(rows, values);
}
std::vector<wide_integer> least_of_rows(const row_numbers& rows, std::span<const wide_integer> values) {
  return extremes<std::less<>>(rows, values);
}
std::vector<double> least_of_rows(const row_numbers& rows, std::span<const double> values) {
  return extremes<std::less<>>(rows, values);
}
std::vector<std::int64_t> largest_of_rows(const row_numbers& rows, std::span<const std::int64_t> values) {
  return extremes<std::greater<>>(rows, values);
}
std::vector<std::uint64_t> largest_of_rows(const row_numbers& rows, std::span<const std::uint64_t> values) {
  return extremes<std::greater<>>(rows, values);
}
std::vector<wide_integer> largest_of_rows(const row_numbers& rows, std::span<const wide_integer> values) {
  return extremes<std::greater<>>(rows, values);
}
std::vector<double> largest_of_rows(const row_numbers& rows, std::span<const double> values) {
  return extremes<std::greater<>>(rows, values);
}

}  // namespace gossamer
