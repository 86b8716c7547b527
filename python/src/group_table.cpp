#include "group_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "arrow_values.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"

namespace gossamer::python {
namespace {

/// What is known of some integers. Exact: 2^64 values of 64 bits fit into the sum.
struct integer_cell {
  using value = std::int64_t;
  __int128 sum;
  std::uint64_t count;
  value least, largest;

  static integer_cell of(value v) { return {v, 1, v, v}; }
  integer_cell operator+(const integer_cell& b) const {
    return {sum + b.sum, count + b.count, std::min(least, b.least), std::max(largest, b.largest)};
  }
};

/// What is known of some reals. The sum is high + low: the error of each addition is kept (Knuth's two-sum).
struct real_cell {
  using value = double;
  double high, low;
  std::uint64_t count;
  value least, largest;

  static real_cell of(value v) { return {v, 0, 1, v, v}; }
  real_cell operator+(const real_cell& b) const {
    const double s = high + b.high;
    const double back = s - high;
    const double error = (high - (s - back)) + (b.high - back);
    // Beyond the range of doubles there is no error to keep.
    return {s, std::isfinite(s) ? low + b.low + error : 0, count + b.count, std::fmin(least, b.least),
            std::fmax(largest, b.largest)};
  }
};

std::int64_t sum_of(const integer_cell& c, std::string_view column) {
  if (c.sum > std::numeric_limits<std::int64_t>::max() || c.sum < std::numeric_limits<std::int64_t>::min())
    throw error(fmt::format("column {}: expected a sum of each group within 64 bits", column));
  return static_cast<std::int64_t>(c.sum);
}
double sum_of(const real_cell& c, std::string_view) { return c.high + c.low; }

/// The numbers of the rows of a table, which lies in process 0: its cores map all of them.
class row_input {
 public:
  using element = count_input::element;
  using share = count_input::share;
  explicit row_input(std::uint64_t rows) : rows_(rows) {}
  void open(per_process<share> shares) const {
    constexpr std::uint64_t k_grain = 1 << 16;
    on_all_processes(
        [shares, rows = rows_] { shares.here() = share(0, process() == 0 ? rows : 0, k_grain); });
  }

 private:
  std::uint64_t rows_;
};

/// Groups the rows, one pass for each column of values.
class grouping {
 public:
  grouping(const row_keys& keys, const graph::progress_hook& hook) : keys_(keys), hook_(hook) {}

  /// Runs a pass. Without values only rows are counted. `column` names the values in errors.
  template <class Cell>
  void add_pass(std::optional<std::span<const typename Cell::value>> values, std::string_view column) {
    if (keys_.are_integers())
      run<Cell>(keys_.integers(), values, column);
    else
      run<Cell>(keys_.texts(), values, column);
  }
  grouped_table take() { return std::move(table_); }

 private:
  /// Combines integers of a small range in arrays, other keys in hash tables.
  template <class Cell, class Key, class Values>
  void run(std::span<const Key> all_keys, Values all_values, std::string_view column) {
    constexpr std::uint64_t k_dense = 1 << 14;  // cells that stay in a core's cache
    map_reduce_options o;
    o.progress = [this](std::uint64_t done, std::uint64_t total) { hook_("grouping", done, total); };
    const row_input input(all_keys.size());
    const Key* const keys = all_keys.data();
    const auto* const values = all_values ? all_values->data() : nullptr;
    if constexpr (std::is_same_v<Key, std::int64_t>) {
      const integer_range range = range_of(all_keys);
      if (range.last < k_dense) {
        const auto map = [keys, values, range](std::uint64_t i, auto& out) {
          out.emit(range.distance(keys[i]), Cell::of(values != nullptr ? values[i] : 0));
        };
        const auto found =
            map_reduce<std::uint64_t, Cell>(input, dense_keys{range.last + 1}, map, std::plus<>{}, o);
        return add<Cell>(found.collect(by_key{}), range, all_values.has_value(), column);
      }
    }
    const auto map = [keys, values](std::uint64_t i, auto& out) {
      out.emit(keys[i], Cell::of(values != nullptr ? values[i] : 0));
    };
    const auto found = map_reduce<Key, Cell>(input, map, std::plus<>{}, o);
    add<Cell>(found.collect(by_key{}), integer_range{}, all_values.has_value(), column);
  }

  /// Adds what a pass has found: of the first, keys and counts; of all, results. Integers as keys are distances in `range`.
  template <class Cell, class Groups>
  void add(Groups groups, const integer_range& range, bool with_values, std::string_view column) {
    constexpr bool k_texts = std::is_same_v<typename Groups::value_type::first_type, std::string>;
    if (table_.keys.empty()) {
      std::vector<std::conditional_t<k_texts, std::string, std::int64_t>> found;
      found.reserve(groups.size());
      table_.counts.reserve(groups.size());
      for (auto& [key, cell] : groups) {
        if constexpr (k_texts)
          found.push_back(std::move(key));
        else
          found.push_back(range.at(static_cast<std::uint64_t>(key)));
        table_.counts.push_back(cell.count);
      }
      table_.keys = keys_.columns_of(std::move(found));
    }
    if (!with_values) return;
    group_values<typename Cell::value> results;
    for (const auto& [key, cell] : groups) {
      results.sums.push_back(sum_of(cell, column));
      results.least.push_back(cell.least);
      results.largest.push_back(cell.largest);
    }
    table_.values.emplace_back(std::move(results));
  }

  const row_keys& keys_;
  const graph::progress_hook& hook_;
  grouped_table table_;
};

}  // namespace

grouped_table group_table(const std::vector<arrow_column>& keys, const std::vector<arrow_column>& values,
                          const graph::progress_hook& hook) {
  for (const arrow_column& c : values) {
    if (c.kind() != arrow_kind::integers && c.kind() != arrow_kind::reals)
      throw error(
          fmt::format("column {}: expected numbers, found the Arrow type \"{}\"", c.name(), c.format()));
    c.refuse_nulls();
  }
  const row_keys of_rows(keys);
  grouping g(of_rows, hook);
  if (values.empty()) g.add_pass<integer_cell>(std::nullopt, {});
  for (const arrow_column& c : values) {
    if (c.kind() == arrow_kind::reals)
      g.add_pass<real_cell>(values_as<double>(c).all(), c.name());
    else
      g.add_pass<integer_cell>(values_as<std::int64_t>(c).all(), c.name());
  }
  return g.take();
}

}  // namespace gossamer::python
