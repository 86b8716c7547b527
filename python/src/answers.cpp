#include "answers.hpp"

#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace gossamer::python {
namespace {

PyObject* number(double value) { return PyFloat_FromDouble(value); }
PyObject* number(std::int64_t value) { return PyLong_FromLongLong(value); }
PyObject* number(std::uint64_t value) { return PyLong_FromUnsignedLongLong(value); }

/// Calls f(pointer to the values, distance of one to the next).
template <class F>
auto with_values(const any_column& values, F f) {
  const auto is = [&](nb::dlpack::dtype t) { return values.dtype() == t; };
  const std::int64_t stride = values.size() > 1 ? values.stride(0) : 1;
  if (is(nb::dtype<double>())) return f(static_cast<const double*>(values.data()), stride);
  if (is(nb::dtype<float>())) return f(static_cast<const float*>(values.data()), stride);
  if (is(nb::dtype<std::int32_t>())) return f(static_cast<const std::int32_t*>(values.data()), stride);
  if (is(nb::dtype<std::uint32_t>())) return f(static_cast<const std::uint32_t*>(values.data()), stride);
  if (is(nb::dtype<std::int64_t>())) return f(static_cast<const std::int64_t*>(values.data()), stride);
  if (is(nb::dtype<std::uint64_t>())) return f(static_cast<const std::uint64_t*>(values.data()), stride);
  throw nb::type_error("values: expected numbers of 32 or 64 bits");
}

/// Returns a level or vertex of one of the signed types that the library's answers have.
std::vector<std::int64_t> integers(const nb::list& nodes, const any_column& values) {
  if (values.size() != nodes.size())
    throw nb::value_error(("expected as many values as nodes, found " + std::to_string(values.size()) +
                           " and " + std::to_string(nodes.size()))
                              .c_str());
  return with_values(values, [&](const auto* data, std::int64_t stride) {
    std::vector<std::int64_t> all(values.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<std::int64_t>(data[static_cast<std::int64_t>(i) * stride]);
    return all;
  });
}

PyObject* node_at(const nb::list& nodes, std::size_t v) {
  return PyList_GetItem(nodes.ptr(), static_cast<Py_ssize_t>(v));
}

/// Sets dict[node] to a number that is new.
void set(const nb::dict& dict, PyObject* node, PyObject* value) {
  const nb::object owned = nb::steal(value);
  if (value == nullptr || PyDict_SetItem(dict.ptr(), node, value) != 0) throw nb::python_error();
}

}  // namespace

nb::dict dict_of(const nb::list& nodes, const any_column& values) {
  if (values.size() != nodes.size())
    throw nb::value_error(("expected as many values as nodes, found " + std::to_string(values.size()) +
                           " and " + std::to_string(nodes.size()))
                              .c_str());
  nb::dict all;
  with_values(values, [&](const auto* data, std::int64_t stride) {
    using T = std::remove_cvref_t<decltype(*data)>;
    using wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
    for (std::size_t v = 0; v < values.size(); ++v)
      set(all, node_at(nodes, v), number(static_cast<wide>(data[static_cast<std::int64_t>(v) * stride])));
  });
  return all;
}

nb::dict nearest_first(const nb::list& nodes, const any_column& levels, std::int64_t most) {
  const std::vector<std::int64_t> all = integers(nodes, levels);
  std::vector<std::vector<std::size_t>> by_level;
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (all[v] < 0 || all[v] > most) continue;
    const auto level = static_cast<std::size_t>(all[v]);
    if (level >= by_level.size()) by_level.resize(level + 1);
    by_level[level].push_back(v);
  }
  nb::dict near;
  for (std::size_t level = 0; level < by_level.size(); ++level) {
    const nb::int_ value(level);
    for (const std::size_t v : by_level[level])
      if (PyDict_SetItem(near.ptr(), node_at(nodes, v), value.ptr()) != 0) throw nb::python_error();
  }
  return near;
}

nb::list sets_of(const nb::list& nodes, const any_column& components) {
  const std::vector<std::int64_t> smallest = integers(nodes, components);
  std::vector<PyObject*> set_of(smallest.size(), nullptr);  // the list owns them
  nb::list sets;
  for (std::size_t v = 0; v < smallest.size(); ++v) {
    const auto c = static_cast<std::size_t>(smallest[v]);
    if (c > v) throw nb::value_error("components: expected the smallest vertex of each component");
    if (set_of[c] == nullptr) {
      nb::object fresh = nb::steal(PySet_New(nullptr));
      if (!fresh.is_valid()) throw nb::python_error();
      set_of[c] = fresh.ptr();
      sets.append(std::move(fresh));
    }
    if (PySet_Add(set_of[c], node_at(nodes, v)) != 0) throw nb::python_error();
  }
  return sets;
}

Py_ssize_t place_of(const nb::list& nodes, nb::handle node) {
  const Py_hash_t wanted = PyObject_Hash(node.ptr());
  if (wanted == -1) throw nb::python_error();
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    const nb::object each = nb::borrow(node_at(nodes, v));
    if (each.is(node)) return static_cast<Py_ssize_t>(v);
    const Py_hash_t hash = PyObject_Hash(each.ptr());
    if (hash == -1) throw nb::python_error();
    if (hash != wanted) continue;
    const int same = PyObject_RichCompareBool(each.ptr(), node.ptr(), Py_EQ);
    if (same < 0) throw nb::python_error();
    if (same != 0) return static_cast<Py_ssize_t>(v);
  }
  return -1;
}

}  // namespace gossamer::python
