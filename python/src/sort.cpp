// The function _core.sort: numbers of a NumPy array in order, on all cores, read and written where they lie.
#include "gossamer/sort/sort.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>

#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/memory/transfer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

using numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using places = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Sorts memory of process 0 on the cores of all: the elements travel to them and back.
template <class T>
void sort_everywhere(std::span<const T> from, std::span<T> to) {
  if (from.empty()) return;
  const scoped_array<T> all(from.size());
  put(all.handle(), 0, from);
  sort(all.handle());
  get(all.handle(), 0, to);
}

/// Sorts where the elements are of type T. Returns whether they are.
template <class T>
bool sorted_as(const numbers& from, const places& to) {
  if (from.dtype() != nb::dtype<T>()) return false;
  const std::span<const T> values(static_cast<const T*>(from.data()), from.size());
  const std::span<T> into(static_cast<T*>(to.data()), to.size());
  return call([values, into](const graph::progress_hook&) {
    processes() == 1 ? sort_memory(values, into) : sort_everywhere(values, into);
    return true;
  });
}

template <class... T>
bool sorted_as_any(const numbers& from, const places& to) {
  return (sorted_as<T>(from, to) || ...);
}

void sort_numbers(const numbers& from, const places& to) {
  if (from.dtype() != to.dtype()) throw nb::type_error("expected two arrays of the same type");
  if (from.size() != to.size()) throw nb::value_error("expected two arrays of the same length");
  if (!sorted_as_any<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(from, to))
    throw nb::type_error("expected integers or floats of 32 or 64 bits");
}

}  // namespace

void bind_sort(nb::module_& m) {
  m.def("sort", &sort_numbers, "source"_a, "target"_a,
        "Write the numbers of an array in order to another, or to the same one. The two may overlap.");
}

}  // namespace gossamer::python
