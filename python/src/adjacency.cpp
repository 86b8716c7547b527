#include "adjacency.hpp"

#include <array>
#include <span>
#include <utility>

#include "node_index.hpp"

namespace nb = nanobind;

namespace gossamer::python {

using graph::k_no_vertex;
using graph::vertex_id;

namespace {

[[noreturn]] void changed() {
  PyErr_SetString(PyExc_RuntimeError, "the graph changed while it was converted");
  throw nb::python_error();
}

/// One walk. It gathers entries, and looks all their keys up at once. Rows, keys and attributes are borrowed: they are kept while
/// Python code may run, which is where the index cannot help.
class walk {
 public:
  walk(const nb::list& nodes, bool directed, const weight_check& weights)
      : nodes_(nodes), index_(nodes), directed_(directed), weights_(weights), one_(1) {}

  adjacency_edges run(const nb::dict& adjacency) {
    const Py_ssize_t size = adjacency_size(adjacency, PY_SSIZE_T_MAX);
    if (size > 0) reserve(static_cast<std::size_t>(size) / (directed_ ? 1 : 2));
    std::array<row_of_node, k_rows_ahead> some;
    PyObject *node = nullptr, *neighbours = nullptr;
    Py_ssize_t place = 0;
    std::size_t rows = 0, ready = 0;
    while (good() && PyDict_Next(adjacency.ptr(), &place, &node, &neighbours)) {
      if (rows == nodes_.size()) changed();
      nb::object kept = nb::borrow(neighbours);
      const vertex_id from = source(node, rows++);
      some[ready++] = {from, std::move(kept)};
      if (ready == some.size()) gather_rows({some.data(), std::exchange(ready, 0)});
    }
    gather_rows({some.data(), ready});
    resolve();
    if (good() && rows != nodes_.size()) changed();
    return std::move(edges_);
  }

 private:
  struct row_of_node {
    vertex_id from = 0;
    nb::object neighbours;
  };

  void reserve(std::size_t edges) {
    edges_.sources.reserve(edges);
    edges_.targets.reserve(edges);
  }

  bool good() const { return edges_.walked && !edges_.weighted; }

  /// Returns the number of a row's node. Rows come in the order of the nodes unless both dicts were changed apart.
  vertex_id source(PyObject* node, std::size_t guess) {
    if (PyList_GetItem(nodes_.ptr(), static_cast<Py_ssize_t>(guess)) == node)
      return static_cast<vertex_id>(guess);
    vertex_id v = k_no_vertex;
    index_.find({&node, 1}, &v);
    if (v != k_no_vertex) return v;
    const nb::object kept = nb::borrow(node);
    resolve();  // what is gathered is borrowed, and Python code may run from here on
    return number_of_any(node);
  }

  vertex_id number_of_any(PyObject* node) {
    const nb::object kept = nb::borrow(node);
    const vertex_id v = index_.find_any(node);
    if (v != k_no_vertex) return v;
    PyErr_SetObject(PyExc_KeyError, node);
    throw nb::python_error();
  }

  /// Reads some rows; touches the first entry of each before, so that their memory is waited for at once.
  void gather_rows(std::span<const row_of_node> rows) {
    for (const row_of_node& each : rows) {
      PyObject *node = nullptr, *attributes = nullptr;
      Py_ssize_t place = 0;
      if (!PyDict_CheckExact(each.neighbours.ptr()))
        edges_.walked = false;
      else if (PyDict_Next(each.neighbours.ptr(), &place, &node, &attributes))
        __builtin_prefetch(node);
    }
    for (const row_of_node& each : rows) {
      if (!good()) return;
      gather_row(each.from, each.neighbours.ptr());
    }
  }

  void gather_row(vertex_id from, PyObject* row) {
    PyObject *node = nullptr, *attributes = nullptr;
    Py_ssize_t place = 0;
    Py_ssize_t left = PyDict_Size(row);
    while (PyDict_Next(row, &place, &node, &attributes)) {
      if (left-- == 0) changed();
      from_[gathered_] = from;
      keys_[gathered_] = node;
      attributes_[gathered_] = attributes;
      if (weights_.attribute.is_valid()) __builtin_prefetch(attributes);
      if (++gathered_ == k_most) resolve();
      if (!good()) return;
    }
    if (left != 0) changed();
  }

  /// Turns what was gathered into edges.
  void resolve() {
    const std::size_t n = std::exchange(gathered_, 0);
    std::array<vertex_id, k_most> to;
    index_.find({keys_.data(), n}, to.data());
    std::vector<std::pair<std::size_t, nb::object>> unknown;
    std::vector<nb::object> kept;  // all attributes, from when Python code may run
    const auto keep_attributes = [&] {
      for (std::size_t i = kept.size(); i < n; ++i) kept.push_back(nb::borrow(attributes_[i]));
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (to[i] == k_no_vertex) unknown.emplace_back(i, nb::borrow(keys_[i]));
    }
    if (!unknown.empty() && weights_.attribute.is_valid()) keep_attributes();
    for (const auto& [i, node] : unknown) to[i] = number_of_any(node.ptr());
    for (std::size_t i = 0; i < n && good(); ++i) {
      if (!directed_ && to[i] < from_[i]) continue;  // it stands in the other row, too
      edges_.sources.push_back(from_[i]);
      edges_.targets.push_back(to[i]);
      if (!weights_.attribute.is_valid()) continue;
      if (!PyDict_CheckExact(attributes_[i]))
        edges_.walked = false;
      else if (PyDict_Size(attributes_[i]) == 0)
        edges_.weighted = !weights_.default_is_one;
      else {
        keep_attributes();
        check_weight(attributes_[i]);
      }
    }
  }

  void check_weight(PyObject* attributes) {
    PyObject* const weight = PyDict_GetItemWithError(attributes, weights_.attribute.ptr());
    if (weight == nullptr) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      edges_.weighted = !weights_.default_is_one;
      return;
    }
    const nb::object kept = nb::borrow(weight);
    const int differs = PyObject_RichCompareBool(weight, one_.ptr(), Py_NE);
    if (differs < 0) throw nb::python_error();
    edges_.weighted = differs != 0;
  }

  const nb::list& nodes_;
  node_index index_;
  const bool directed_;
  const weight_check weights_;
  const nb::int_ one_;

  static constexpr std::size_t k_rows_ahead = 16;
  static constexpr std::size_t k_most = node_index::k_at_once;
  std::array<vertex_id, k_most> from_;
  std::array<PyObject*, k_most> keys_, attributes_;
  std::size_t gathered_ = 0;

  adjacency_edges edges_;
};

}  // namespace

adjacency_edges read_adjacency(const nb::list& nodes, const nb::dict& adjacency, bool directed,
                               const weight_check& weights) {
  return walk(nodes, directed, weights).run(adjacency);
}

std::optional<nb::object> first_attribute(const nb::dict& adjacency, nb::handle attribute) {
  PyObject *node = nullptr, *row = nullptr, *neighbour = nullptr, *attributes = nullptr;
  Py_ssize_t place = 0;
  while (PyDict_Next(adjacency.ptr(), &place, &node, &row)) {
    if (!PyDict_CheckExact(row)) return std::nullopt;
    const nb::object kept_row = nb::borrow(row);
    for (Py_ssize_t at = 0; PyDict_Next(row, &at, &neighbour, &attributes);) {
      if (!PyDict_CheckExact(attributes)) return std::nullopt;
      if (PyDict_Size(attributes) == 0) continue;
      const nb::object kept = nb::borrow(attributes);
      PyObject* const value = PyDict_GetItemWithError(attributes, attribute.ptr());
      if (value != nullptr) return nb::borrow(value);
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
    }
  }
  return nb::none();
}

Py_ssize_t adjacency_size(const nb::dict& adjacency, Py_ssize_t enough) {
  PyObject *node = nullptr, *row = nullptr;
  Py_ssize_t place = 0;
  Py_ssize_t size = PyDict_Size(adjacency.ptr());
  while (size < enough && PyDict_Next(adjacency.ptr(), &place, &node, &row)) {
    if (!PyDict_CheckExact(row)) return -1;
    size += PyDict_Size(row);
  }
  return size;
}

}  // namespace gossamer::python
