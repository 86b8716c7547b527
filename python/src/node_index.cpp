#include "node_index.hpp"

#include <array>
#include <optional>
#include <utility>

namespace nb = nanobind;

namespace gossamer::python {

using graph::k_no_vertex;
using graph::vertex_id;

namespace {

/// Returns the value of an int, nothing for other types and for what takes more than 64 bits.
std::optional<long long> integer(PyObject* object) {
  if (!PyLong_CheckExact(object)) return std::nullopt;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0 ? std::optional(value) : std::nullopt;
}

std::uint64_t address(PyObject* object) { return reinterpret_cast<std::uintptr_t>(object); }

Py_hash_t hash_of(PyObject* object) {
  const Py_hash_t hash = PyObject_Hash(object);
  if (hash == -1) throw nb::python_error();
  return hash;
}

/// Returns whether a table may find an object: an exact str, or an int of 64 bits.
bool has_word(PyObject* node) { return PyUnicode_CheckExact(node) || integer(node).has_value(); }

/// Returns the word by which it is found.
std::uint64_t word_of(PyObject* node) {
  return static_cast<std::uint64_t>(PyUnicode_CheckExact(node) ? hash_of(node) : integer(node).value_or(0));
}

}  // namespace

node_index::node_index(nb::list nodes) : nodes_(std::move(nodes)) {
  if (nodes_.size() >= word_table::k_free) throw nb::value_error("nodes: expected fewer than 2^32 - 1");
  by_number_.reserve(nodes_.size());
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    PyObject* const node = PyList_GetItem(nodes_.ptr(), static_cast<Py_ssize_t>(v));
    counting_ = counting_ && integer(node) == static_cast<long long>(v);
    by_number_.push_back(node);
  }
  if (counting_) return;
  addresses_.reserve(by_number_.size());
  for (std::size_t v = 0; v < by_number_.size(); ++v)
    addresses_.add(address(by_number_[v]), static_cast<std::uint32_t>(v));
}

void node_index::find(std::span<PyObject* const> nodes, vertex_id* numbers) {
  if (counting_) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto value = integer(nodes[i]);
      const bool found = value && *value >= 0 && static_cast<std::uint64_t>(*value) < by_number_.size();
      numbers[i] = found ? static_cast<vertex_id>(*value) : k_no_vertex;
    }
    return;
  }
  for (PyObject* const node : nodes) addresses_.prefetch(address(node));
  std::array<std::uint32_t, k_at_once> others;
  std::size_t other = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t v =
        addresses_.find(address(nodes[i]), [&](std::uint32_t same) { return by_number_[same] == nodes[i]; });
    numbers[i] = v == word_table::k_free ? k_no_vertex : v;
    if (v != word_table::k_free) continue;
    __builtin_prefetch(nodes[i]);
    others[other++] = static_cast<std::uint32_t>(i);
  }
  if (other != 0) find_equal(nodes, {others.data(), other}, numbers);
}

void node_index::find_equal(std::span<PyObject* const> nodes, std::span<const std::uint32_t> which,
                            vertex_id* numbers) {
  if (equals_.empty()) {
    equals_.reserve(by_number_.size());
    for (std::size_t v = 0; v < by_number_.size(); ++v)
      if (has_word(by_number_[v])) equals_.add(word_of(by_number_[v]), static_cast<std::uint32_t>(v));
  }
  std::array<std::uint64_t, k_at_once> words;
  for (std::size_t k = 0; k < which.size(); ++k) {
    PyObject* const node = nodes[which[k]];
    words[k] = has_word(node) ? word_of(node) : 0;
    equals_.prefetch(words[k]);
  }
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::uint32_t v = equals_.guess(words[k]);
    if (v != word_table::k_free) __builtin_prefetch(by_number_[v]);
  }
  for (std::size_t k = 0; k < which.size(); ++k) {
    PyObject* const node = nodes[which[k]];
    if (!has_word(node)) continue;
    const bool text = PyUnicode_CheckExact(node);
    const std::uint32_t v = equals_.find(words[k], [&](std::uint32_t place) {
      PyObject* const there = by_number_[place];
      if (text) return PyUnicode_CheckExact(there) && PyUnicode_Compare(there, node) == 0;
      return integer(there) == integer(node);
    });
    if (v != word_table::k_free) numbers[which[k]] = v;
  }
}

vertex_id node_index::find_any(PyObject* node) {
  const nb::object kept = nb::borrow(node);
  if (!others_.is_valid()) {
    nb::dict numbers;
    for (std::size_t v = 0; v < by_number_.size(); ++v)
      if (PyDict_SetItem(numbers.ptr(), by_number_[v], nb::int_(v).ptr()) != 0) throw nb::python_error();
    others_ = std::move(numbers);
  }
  PyObject* const number = PyDict_GetItemWithError(others_.ptr(), node);
  if (number == nullptr) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return k_no_vertex;
  }
  return static_cast<vertex_id>(PyLong_AsUnsignedLongLong(number));
}

}  // namespace gossamer::python
