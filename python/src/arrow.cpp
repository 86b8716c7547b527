// The class _core.ArrowTable: what an object with __arrow_c_stream__ gives.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "arrow_capsule.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "group_table.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

arrow_column column_at(const arrow_table& table, std::size_t i) {
  if (i >= table.columns()) throw nb::index_error("expected a column of the table");
  return table.column(i);
}

nb::list names(const arrow_table& table) {
  nb::list all;
  for (std::size_t i = 0; i < table.columns(); ++i) all.append(text_of(table.column(i).name()));
  return all;
}

std::string kind(const arrow_table& table, std::size_t i) {
  switch (column_at(table, i).kind()) {
    case arrow_kind::integers:
      return "integers";
    case arrow_kind::reals:
      return "reals";
    case arrow_kind::texts:
      return "texts";
    case arrow_kind::dates:
      return "dates";
    case arrow_kind::booleans:
      return "Booleans";
    case arrow_kind::decimals:
      return "decimals";
    case arrow_kind::others:
      break;
  }
  return "others";
}

void refuse_nulls(const arrow_table& table, std::size_t i) { column_at(table, i).refuse_nulls(); }

/// Returns a list; texts that are equal and follow one another are one object.
nb::object texts_of(const std::vector<std::string>& all) {
  nb::list texts;
  nb::object text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) text = text_of(all[i]);
    texts.append(text);
  }
  return texts;
}

/// Returns numbers as an array: of 64 bits where these hold all of them, else as a list of Python's integers.
template <class T>
nb::object numbers_object(std::vector<T> all) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>) {
    return array_of<T>(std::move(all));
  } else {
    if (std::ranges::all_of(all, [](T v) {
          return v == static_cast<T>(static_cast<std::int64_t>(v)) &&
                 (v < 0) == (static_cast<std::int64_t>(v) < 0);
        }))
      return array_of<std::int64_t>(std::vector<std::int64_t>(all.begin(), all.end()));
    if constexpr (std::is_same_v<T, std::uint64_t>) return array_of<T>(std::move(all));
    nb::list integers;
    for (const T each : all) integers.append(nb::int_(text_of(fmt::format("{}", each))));
    return integers;
  }
}

nb::object key_object(key_column keys) {
  if (const auto* const texts = std::get_if<std::vector<std::string>>(&keys)) return texts_of(*texts);
  if (auto* const reals = std::get_if<std::vector<double>>(&keys)) return array_of<double>(std::move(*reals));
  if (auto* const large = std::get_if<std::vector<std::uint64_t>>(&keys))
    return numbers_object(std::move(*large));
  return numbers_object(std::get<std::vector<std::int64_t>>(std::move(keys)));
}

std::vector<arrow_column> columns_at(const arrow_table& table, const std::vector<std::size_t>& places) {
  std::vector<arrow_column> columns;
  for (const std::size_t i : places) columns.push_back(column_at(table, i));
  return columns;
}

/// Returns (keys, counts, results): a column for each key and the groups in which it is null, and a dict from operations to arrays for each column of values.
nb::tuple group(const arrow_table& table, const std::vector<std::size_t>& keys, bool counts,
                const std::vector<std::pair<std::size_t, std::vector<std::string>>>& values) {
  if (keys.empty()) throw nb::value_error("expected a column of keys");
  std::vector<wanted_values> wanted;
  for (const auto& [place, operations] : values) {
    const auto is_asked = [&](const char* name) {
      return std::ranges::find(operations, name) != operations.end();
    };
    wanted.push_back(
        {column_at(table, place), is_asked("sum"), is_asked("min"), is_asked("max"), is_asked("mean")});
  }
  grouped_table t = call([by = columns_at(table, keys), counts, of = std::move(wanted)](
                             const graph::progress_hook& hook) { return group_table(by, counts, of, hook); });
  nb::list key_columns, results;
  for (std::size_t k = 0; k < t.keys.size(); ++k)
    key_columns.append(
        nb::make_tuple(key_object(std::move(t.keys[k])), array_of<std::int64_t>(std::move(t.null_keys[k]))));
  for (auto& each : t.values)
    std::visit(
        [&]<class T>(group_values<T>& found) {
          nb::dict of_column;
          of_column["sum"] = numbers_object(std::move(found.sums));
          of_column["mean"] = array_of<double>(std::move(found.means));
          of_column["min"] = numbers_object(std::move(found.least));
          of_column["max"] = numbers_object(std::move(found.largest));
          of_column["counts"] = array_of<std::int64_t>(std::move(found.counts));
          results.append(of_column);
        },
        each);
  return nb::make_tuple(key_columns, array_of<std::int64_t>(std::move(t.counts)), results);
}

/// Copies an array of integers or reals of 64 bits, or a list of texts.
result_column column_from(std::string name, nb::handle values) {
  const auto copied = [&]<class T>(const nb::ndarray<const T, nb::ndim<1>, nb::c_contig>& a) {
    return result_column{name, std::vector<T>(a.data(), a.data() + a.size())};
  };
  if (nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig> integers;
      nb::try_cast(values, integers, false))
    return copied(integers);
  if (nb::ndarray<const double, nb::ndim<1>, nb::c_contig> reals; nb::try_cast(values, reals, false))
    return copied(reals);
  result_texts texts;
  std::size_t row = 0;
  for (const nb::handle each : nb::cast<nb::list>(values)) texts.add(utf8_of(each, name, row++));
  return {std::move(name), std::move(texts)};
}

using rows_of_nulls = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>;

void set_nulls(result_column& column, const rows_of_nulls& rows) {
  for (const std::int64_t row : std::span(rows.data(), rows.size())) {
    if (row < 0 || row >= column.size()) throw nb::index_error("expected rows of the column as nulls");
    column.set_null(row);
  }
}

nb::object stream(
    const std::vector<std::tuple<std::string, nb::object, std::string, rows_of_nulls>>& columns) {
  std::vector<result_column> all;
  for (const auto& [name, values, format, nulls] : columns) {
    if (name.find('\0') != name.npos) throw nb::value_error("expected names of columns without zero bytes");
    all.push_back(column_from(name, values));
    all.back().format = format;
    set_nulls(all.back(), nulls);
    if (all.back().size() != all.front().size()) throw nb::value_error("expected columns of the same length");
  }
  return capsule_of(std::move(all));
}

/// Returns the numbers of a column: an array of doubles where they are reals, else of integers of 64 bits.
nb::object numbers(const arrow_table& table, std::size_t i) {
  const arrow_column& column = column_at(table, i);
  if (column.kind() != arrow_kind::reals) return array_of<std::int64_t>(column.integers());
  std::vector<double> all;
  all.reserve(column.size());
  column.for_each_chunk([&]<class T>(const T* values, std::uint64_t n) {
    for (std::uint64_t at = 0; at < n; ++at)
      all.push_back(static_cast<double>(arrow_load<T>(values, static_cast<std::int64_t>(at))));
  });
  return array_of<double>(std::move(all));
}

}  // namespace

void bind_arrow(nb::module_& m) {
  m.def("arrow_stream", &stream, "columns"_a,
        "Return a capsule for __arrow_c_stream__ with copies of columns: names, arrays of 64 bits or lists "
        "of texts, "
        "the Arrow type of what is no number or text, and the rows that are null.");
  nb::class_<arrow_table>(m, "ArrowTable", "The columns of an Arrow stream, read where they lie.")
      .def_static("read", &read_capsule, "capsule"_a, nb::rv_policy::take_ownership, "Read all of a stream.")
      .def_prop_ro("rows", &arrow_table::rows, "How many rows.")
      .def_prop_ro("names", &names, "The names of the columns.")
      .def("kind", &kind, "column"_a, "integers, reals, texts, dates, Booleans, decimals or others.")
      .def(
          "scale", [](const arrow_table& t, std::size_t i) { return column_at(t, i).scale(); }, "column"_a,
          "How many digits of a column of decimals are behind the point.")
      .def(
          "unit",
          [](const arrow_table& table, std::size_t i) { return std::string(column_at(table, i).unit()); },
          "column"_a, "Return the unit of dates and times, as NumPy has it; empty for other columns.")
      .def("group", &group, "keys"_a, "counts"_a, "values"_a,
           "Group the rows. values: columns, each with operations: sum, min, max. Return columns of keys, "
           "counts where they are "
           "wanted, and for each column of values arrays by operation, empty where it is not asked for; "
           "counts of values "
           "where the column has nulls.")
      .def("numbers", &numbers, "column"_a, "Return a column of integers or reals as an array of 64 bits.")
      .def("refuse_nulls", &refuse_nulls, "column"_a, "Raise ValueError for the first null.");
}

}  // namespace gossamer::python
