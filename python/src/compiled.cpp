// _core.map_reduce(): MapReduce over an array with functions that the user has had compiled.
#include "compiled.hpp"

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "numbers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {

void check_is_here(const char* name) {
  if (gossamer::processes() > 1)
    throw std::invalid_argument(
        fmt::format("{}: a compiled function is in process 0 only, and the job has {} processes", name,
                    gossamer::processes()));
}

namespace {

struct pairs {
  std::vector<std::int64_t> keys;
  std::vector<word> values;
};

/// Maps each number to a key and a value (where `value` is none, the number itself), and combines the values of each key.
nb::tuple reduce(const word_values& numbers, const compiled_unary& key,
                 const std::optional<compiled_unary>& value, const compiled_binary& combine) {
  pairs found = call([from = span_of(numbers), key, value, combine](const graph::progress_hook& hook) {
    check_is_here("key");
    map_reduce_options o;
    o.progress = [&hook](std::uint64_t done, std::uint64_t total) { hook("map_reduce", done, total); };
    const auto map = [data = from.data(), key, value = value.value_or(compiled_unary{}),
                      mapped = value.has_value()](std::uint64_t i, auto& out) {
      const word x = data[i];
      out.emit(static_cast<std::int64_t>(key(x)), mapped ? value(x) : x);
    };
    const auto all = map_reduce<std::int64_t, word>(count_input(from.size()), map, combine, o);
    pairs sorted;
    const std::uint64_t n = all.size();
    sorted.keys.reserve(n);
    sorted.values.reserve(n);
    all.for_each_sorted(gossamer::by_key{}, [&](std::int64_t k, word v) {
      sorted.keys.push_back(k);
      sorted.values.push_back(v);
    });
    return sorted;
  });
  return nb::make_tuple(array_of<std::int64_t>(std::move(found.keys)),
                        array_of<word>(std::move(found.values)));
}

}  // namespace

void bind_map_reduce(nb::module_& m) {
  nb::class_<compiled_unary>(m, "Unary", "A compiled function of one number.")
      .def(nb::init<std::uintptr_t, bool, bool>(), "address"_a, "takes_real"_a, "gives_real"_a);
  nb::class_<compiled_binary>(m, "Binary", "A compiled function of two numbers of one type.")
      .def(nb::init<std::uintptr_t, bool>(), "address"_a, "real"_a);
  m.def("map_reduce", &reduce, "numbers"_a, "key"_a, "value"_a.none(), "combine"_a,
        "Return the keys of numbers, ascending, and the combined values of each.");
}

}  // namespace gossamer::python
