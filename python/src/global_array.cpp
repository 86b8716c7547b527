// The class _core.Array: a global array of 64-bit elements, which lie block by block on the cores of all processes. Only what computes
// with elements knows whether they are integers or reals: all else moves words.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "compiled.hpp"
#include "gossamer/memory/gather.hpp"
#include "gossamer/memory/transfer.hpp"
#include "numbers.hpp"
#include "runtime_owned.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

using words = gossamer::array<word>;

/// What Python holds. Tasks copy it, so that the array outlives them.
struct array_object {
  std::shared_ptr<const runtime_owned<scoped_array<word>>> all;
  std::uint64_t size;
  word* in_place;  // the elements, in one process
  unsigned cores;  // over which the elements are spread

  /// Returns the handle. On the main fiber. Throws no_job where the array has gone with its job, or other cores have begun.
  words handle() const {
    const words a = all->get().handle();
    if (cores != gossamer::cores())
      throw no_job(fmt::format("the array lies on {} cores, and there are {} now: copy it by numpy()", cores,
                               gossamer::cores()));
    return a;
  }
};

/// Calls f(handle) on the main fiber.
template <class F>
void with(const array_object& a, F f) {
  compute([a, f] { f(a.handle()); });
}

array_object zeros(std::uint64_t size) {
  return call([size](const graph::progress_hook&, runtime& in) {
    scoped_array<word> made(size);
    word* const at = in.processes() == 1 && size != 0 ? made.pointer(0).address() : nullptr;
    return array_object{
        std::make_shared<const runtime_owned<scoped_array<word>>>("array", std::move(made), in), size, at,
        cores()};
  });
}

// --- slices -------------------------------------------------------------------------------------

/// Elements first, first + step, ...
struct slice {
  std::uint64_t first, step;

  section<word> of(words a, std::uint64_t begin, std::uint64_t end) const {
    return {a, first + begin * step, strided{end - begin, 1, step}};
  }
};

/// Throws std::out_of_range unless `count` elements of a slice are the array's.
slice checked(const array_object& a, std::uint64_t first, std::uint64_t step, std::uint64_t count) {
  if (step == 0 || first > a.size || count > (a.size - first + step - 1) / step)
    throw std::out_of_range("expected a slice of the array");
  return {first, step};
}

constexpr std::uint64_t k_copied_at_once = 1 << 18;  // elements between two looks at an interrupt

void get_slice(const array_object& a, std::uint64_t first, std::uint64_t step, const word_places& into) {
  const slice from = checked(a, first, step, into.size());
  with(a, [from, to = span_of(into)](words all) {
    for_chunks(to.size(), k_copied_at_once, [=](std::uint64_t begin, std::uint64_t end) {
      get(from.of(all, begin, end), to.subspan(begin, end - begin));
    });
  });
}

void put_slice(const array_object& a, std::uint64_t first, std::uint64_t step, const word_values& values) {
  const slice to = checked(a, first, step, values.size());
  with(a, [to, from = span_of(values)](words all) {
    for_chunks(from.size(), k_copied_at_once, [=](std::uint64_t begin, std::uint64_t end) {
      put(to.of(all, begin, end), from.subspan(begin, end - begin));
    });
  });
}

// --- elements by index --------------------------------------------------------------------------

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(x);
  else
    return false;
}

constexpr std::uint64_t k_indices_at_once = 1 << 14;

/// Returns the element that an index names, from the end where it is negative. Throws std::out_of_range.
std::uint64_t element(std::int64_t index, std::uint64_t size) {
  const auto e = static_cast<std::uint64_t>(index) + (index < 0 ? size : 0);
  if (e >= size)
    throw std::out_of_range(fmt::format("index {} is out of bounds for axis 0 with size {}", index, size));
  return e;
}

/// A phase without writes, in which elements are read in place.
struct reading {
  explicit reading(words a) : of(a), view(a.freeze()) {}
  reading(const reading&) = delete;
  ~reading() { of.thaw(); }
  words of;
  frozen<word> view;
};

void take(const array_object& a, const integers& indices, const word_places& into) {
  check_lengths("indices", indices.size(), "places", into.size());
  with(a, [at = span_of(indices), to = span_of(into)](words all) {
    if (memory::all_lies_here()) {
      const reading phase(all);
      for_chunks(at.size(), k_indices_at_once,
                 [at, to, view = phase.view](std::uint64_t begin, std::uint64_t end) {
                   for (std::uint64_t k = begin; k < end; ++k) to[k] = view[element(at[k], view.size())];
                 });
      return;
    }
    for_chunks(at.size(), k_indices_at_once, [at, to, all](std::uint64_t begin, std::uint64_t end) {
      std::vector<std::uint64_t> elements(end - begin);
      for (std::uint64_t k = begin; k < end; ++k) elements[k - begin] = element(at[k], all.size());
      gather<word>(all, elements, to.subspan(begin, end - begin));
    });
  });
}

void check_indices(words all, std::span<const std::int64_t> at) {
  for_chunks(at.size(), k_indices_at_once, [at, all](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t k = begin; k < end; ++k) (void)element(at[k], all.size());
  });
}

/// Ships f(element, value) to the owner of each index's element. Nothing is changed where one of the indices is none.
template <class F>
void change(const array_object& a, const integers& indices, const word_values& values, F f) {
  check_lengths("indices", indices.size(), "values", values.size());
  with(a, [at = span_of(indices), from = span_of(values), f](words all) {
    check_indices(all, at);
    for_chunks(at.size(), k_indices_at_once, [at, from, all, f](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t k = begin; k < end; ++k)
        all.async(element(at[k], all.size()), [value = from[k], f](word& e) { f(e, value); });
    });
  });
}

void put_elements(const array_object& a, const integers& indices, const word_values& values) {
  change(a, indices, values, [](word& e, word value) { e = value; });
}

struct sum {
  static double of(double a, double b) { return a + b; }
  static word of(word a, word b) { return a + b; }  // signed or not: the same bits
  static std::int64_t of(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(of(static_cast<word>(a), static_cast<word>(b)));
  }
};
/// Of reals NaN where one of them is NaN, as numpy.minimum has it.
struct minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b || is_nan(a) ? a : b;
  }
};
struct maximum {
  template <class T>
  static T of(T a, T b) {
    return b < a || is_nan(a) ? a : b;
  }
};

template <class T, class Operation>
void reduce(const array_object& a, const integers& indices, const word_values& values) {
  change(a, indices, values, [](word& e, word value) {
    e = std::bit_cast<word>(Operation::of(std::bit_cast<T>(e), std::bit_cast<T>(value)));
  });
}

/// Replaces elements by operation(element, value). `kind` says what the words are, as NumPy's dtype.kind does.
template <class Operation>
void reduce_at(const array_object& a, const integers& indices, const word_values& values, char kind) {
  switch (kind) {
    case 'f':
      return reduce<double, Operation>(a, indices, values);
    case 'u':
      return reduce<word, Operation>(a, indices, values);
    default:
      return reduce<std::int64_t, Operation>(a, indices, values);
  }
}

// --- functions that the user has compiled -----------------------------------------------------------

void update_at(const array_object& a, const integers& indices, const word_values& values,
               const compiled_binary& f) {
  compute([] { check_is_here("f"); });
  change(a, indices, values, [f](word& e, word value) { e = f(e, value); });
}

void apply(const array_object& a, const compiled_unary& f) {
  with(a, [at = a.in_place, n = a.size, f](words) {
    check_is_here("f");
    for_chunks(n, k_indices_at_once, [at, f](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t k = begin; k < end; ++k) at[k] = f(at[k]);
    });
  });
}

/// Combines `initial` and all elements, in order: f need not be commutative. The same chunks each time, so the same digits.
word reduce_all(const array_object& a, const compiled_binary& f, word initial) {
  if (a.size == 0) return initial;
  std::vector<word> of_chunks(divide_up(a.size, k_indices_at_once));
  with(a, [at = a.in_place, n = a.size, f, to = std::span(of_chunks)](words) {
    check_is_here("f");
    for_chunks(to.size(), 1, [at, n, f, to](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t chunk = begin; chunk < end; ++chunk) {
        const std::uint64_t first = chunk * k_indices_at_once;
        word sum = at[first];
        for (std::uint64_t k = first + 1; k < std::min(n, first + k_indices_at_once); ++k)
          sum = f(sum, at[k]);
        to[chunk] = sum;
      }
    });
  });
  for (const word chunk : of_chunks) initial = f(initial, chunk);
  return initial;
}

/// Returns the elements where they lie; nothing over several processes.
nb::object view(nb::handle self) {
  const auto& a = nb::cast<const array_object&>(self);
  if (a.size == 0) return array_of<word>(std::vector<word>());
  if (a.in_place == nullptr) return nb::none();
  return nb::cast(array<word>(a.in_place, {a.size}, self));
}

}  // namespace

void bind_global_array(nb::module_& m) {
  const auto places = nb::arg("into").noconvert();
  nb::class_<array_object>(m, "Array", "A global array of 64-bit elements.")
      .def_static("zeros", &zeros, "size"_a, "Make an array of zeros.")
      .def_ro("size", &array_object::size, "How many elements.")
      .def("view", &view, "Return the elements where they lie; None over several processes.")
      .def("get", &get_slice, "first"_a, "step"_a, places, "Copy elements at equal distances.")
      .def("put", &put_slice, "first"_a, "step"_a, "values"_a, "Assign elements at equal distances.")
      .def("take_at", &take, "indices"_a, places, "Copy elements by index.")
      .def("put_at", &put_elements, "indices"_a, "values"_a, "Assign elements by index.")
      .def("add_at", &reduce_at<sum>, "indices"_a, "values"_a, "kind"_a, "Add to elements by index.")
      .def("minimum_at", &reduce_at<minimum>, "indices"_a, "values"_a, "kind"_a,
           "Replace elements by the smaller of them and the values.")
      .def("maximum_at", &reduce_at<maximum>, "indices"_a, "values"_a, "kind"_a,
           "Replace elements by the larger of them and the values.")
      .def("update_at", &update_at, "indices"_a, "values"_a, "f"_a,
           "Replace elements by f of them and the values.")
      .def("apply", &apply, "f"_a, "Replace all elements by f of them.")
      .def("reduce", &reduce_all, "f"_a, "initial"_a, "Combine all elements by f, in order.");
}

}  // namespace gossamer::python
