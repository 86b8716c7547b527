#include "group_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

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

/// The values of a column as T: in place where they lie so, else copied.
template <class T>
class values_as {
 public:
  explicit values_as(const arrow_column& c) {
    if (c.chunks().size() == 1) {
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        if constexpr (std::is_same_v<V, T>)
          if (reinterpret_cast<std::uintptr_t>(values) % alignof(T) == 0) all_ = {values, n};
      });
      if (all_.size() == c.size()) return;
    }
    if constexpr (std::is_same_v<T, std::int64_t>) {
      copy_ = c.integers();
    } else {
      copy_.reserve(c.size());
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i)
          copy_.push_back(static_cast<T>(arrow_load<V>(values, static_cast<std::int64_t>(i))));
      });
    }
    all_ = copy_;
  }
  const T* data() const { return all_.data(); }

 private:
  std::span<const T> all_;
  std::vector<T> copy_;
};

/// Turns groups that are ordered by their keys into columns. `least_key` is added to integers.
template <class Cell, class Groups>
grouped_table columns_of(Groups groups, bool with_values, std::string_view column, std::int64_t least_key) {
  using key = typename Groups::value_type::first_type;
  constexpr bool k_texts = std::is_same_v<key, std::string>;
  std::vector<std::conditional_t<k_texts, std::string, std::int64_t>> keys;
  grouped_table t;
  group_values<typename Cell::value> results;
  keys.reserve(groups.size());
  for (auto& [k, cell] : groups) {
    if constexpr (k_texts)
      keys.push_back(std::move(k));
    else
      keys.push_back(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(k) + static_cast<std::uint64_t>(least_key)));
    t.counts.push_back(cell.count);
    if (!with_values) continue;
    results.sums.push_back(sum_of(cell, column));
    results.least.push_back(cell.least);
    results.largest.push_back(cell.largest);
  }
  t.keys = std::move(keys);
  t.values = std::move(results);
  return t;
}

/// Returns the least key and how many integers there are up to the largest; 0: as many as 64 bits hold, or more than `most`.
std::pair<std::int64_t, std::uint64_t> range_of(std::span<const std::int64_t> keys, std::uint64_t most) {
  if (keys.empty()) return {0, 0};
  std::int64_t least = keys[0], largest = keys[0];
  for (const std::int64_t k : keys) {
    least = std::min(least, k);
    largest = std::max(largest, k);
  }
  const std::uint64_t last = static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
  return {least, last < most ? last + 1 : 0};
}

/// Groups by keys; without values each row has the value 0. Integers of a small range are combined in arrays.
template <class Key, class Cell>
grouped_table group(const Key* keys, const typename Cell::value* values, std::uint64_t rows,
                    std::string_view column, const graph::progress_hook& hook) {
  constexpr std::uint64_t k_dense = 1 << 14;  // cells that stay in a core's cache
  map_reduce_options o;
  o.progress = [&hook](std::uint64_t done, std::uint64_t total) { hook("grouping", done, total); };
  const count_input input(rows, 1 << 16);
  if constexpr (std::is_same_v<Key, std::int64_t>) {
    const auto [least, size] = range_of({keys, rows}, k_dense);
    if (size != 0) {
      const auto map = [keys, values, least = least](std::uint64_t i, auto& out) {
        out.emit(static_cast<std::uint64_t>(keys[i]) - static_cast<std::uint64_t>(least),
                 Cell::of(values != nullptr ? values[i] : 0));
      };
      const auto found = map_reduce<std::uint64_t, Cell>(input, dense_keys{size}, map, std::plus<>{}, o);
      return columns_of<Cell>(found.collect(by_key{}), values != nullptr, column, least);
    }
  }
  const auto map = [keys, values](std::uint64_t i, auto& out) {
    out.emit(keys[i], Cell::of(values != nullptr ? values[i] : 0));
  };
  const auto found = map_reduce<Key, Cell>(input, map, std::plus<>{}, o);
  return columns_of<Cell>(found.collect(by_key{}), values != nullptr, column, 0);
}

template <class Key>
grouped_table group_by_keys(const Key* keys, std::uint64_t rows, const std::optional<arrow_column>& values,
                            const graph::progress_hook& hook) {
  if (!values) return group<Key, integer_cell>(keys, nullptr, rows, {}, hook);
  values->refuse_nulls();
  if (values->kind() == arrow_kind::reals) {
    const values_as<double> reals(*values);
    return group<Key, real_cell>(keys, reals.data(), rows, values->name(), hook);
  }
  const values_as<std::int64_t> integers(*values);
  return group<Key, integer_cell>(keys, integers.data(), rows, values->name(), hook);
}

}  // namespace

grouped_table group_table(const arrow_column& key, const std::optional<arrow_column>& values,
                          const graph::progress_hook& hook) {
  if (values && values->kind() != arrow_kind::integers && values->kind() != arrow_kind::reals)
    throw error(fmt::format("column {}: expected numbers, found the Arrow type \"{}\"", values->name(),
                            values->format()));
  key.refuse_nulls();
  const std::uint64_t rows = key.size();
  if (key.kind() == arrow_kind::integers) {
    const values_as<std::int64_t> keys(key);
    return group_by_keys(keys.data(), rows, values, hook);
  }
  std::vector<std::string_view> texts;
  texts.reserve(rows);
  key.for_each_text([&](std::string_view text) { texts.push_back(text); });
  return group_by_keys(texts.data(), rows, values, hook);
}

}  // namespace gossamer::python
