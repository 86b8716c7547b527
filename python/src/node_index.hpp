#pragma once
// The numbers of a graph's nodes, which are any hashable Python objects: what a Python dict from nodes to numbers would say, sooner.
//
//   1  nodes that are 0, 1, 2, …            the value is the number, no table
//   2  the very object that is the node     a table by address; the object is not touched
//   3  another object that is an equal str  a table by the hash that the str keeps, then characters are compared
//   4  another object that is an equal int  the same table, by value
//   5  anything else                        a Python dict, as Python compares
//
// 3 to 5 are built when the first such object is asked for. Everything here needs the GIL.

#include <nanobind/nanobind.h>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::python {

/// A hash table from words of 64 bits to vertices: open addressing, at most two thirds full, 8 bytes a slot. It keeps 32 bits of a
/// word; its user compares the rest.
class word_table {
 public:
  /// Takes memory for so many words. Called once.
  void reserve(std::size_t words) {
    const std::size_t slots = std::bit_ceil(words + words / 2 + 2);
    shift_ = 64 - std::countr_zero(slots);
    slots_.assign(slots, {0, k_free});
  }
  bool empty() const { return slots_.empty(); }
  /// Adds a pair. A word may have several vertices.
  void add(std::uint64_t word, std::uint32_t v) {
    std::size_t i = first(word);
    while (slots_[i].vertex != k_free) i = next(i);
    slots_[i] = {tag(word), v};
  }
  /// Fetches the place of a word ahead.
  void prefetch(std::uint64_t word) const { __builtin_prefetch(&slots_[first(word)]); }
  /// Returns the first vertex that a word may have: for fetching ahead. k_free: none.
  std::uint32_t guess(std::uint64_t word) const {
    const slot& s = slots_[first(word)];
    return s.tag == tag(word) ? s.vertex : k_free;
  }
  /// Returns the first vertex of a word that matches(vertex), or k_free.
  template <class Matches>
  std::uint32_t find(std::uint64_t word, Matches matches) const {
    for (std::size_t i = first(word); slots_[i].vertex != k_free; i = next(i))
      if (slots_[i].tag == tag(word) && matches(slots_[i].vertex)) return slots_[i].vertex;
    return k_free;
  }

  static constexpr std::uint32_t k_free = ~std::uint32_t{0};

 private:
  struct slot {
    std::uint32_t tag, vertex;
  };
  static std::uint64_t mixed(std::uint64_t word) { return word * 0x9E3779B97F4A7C15u; }
  static std::uint32_t tag(std::uint64_t word) { return static_cast<std::uint32_t>(mixed(word)); }
  std::size_t first(std::uint64_t word) const { return mixed(word) >> shift_; }
  std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }

  std::vector<slot> slots_;
  int shift_ = 0;
};

/// From nodes to their numbers.
class node_index {
 public:
  /// Numbers the elements of a list, which are different from each other. Keeps the list, which must not change. Throws
  /// nanobind's value_error for 2^32 - 1 nodes and more.
  explicit node_index(nanobind::list nodes);

  /// Finds the numbers of some nodes by rows 1 to 4 of the table above; k_no_vertex: ask find_any(). Runs no Python code.
  /// Searches all of them at once, so that the memory is waited for once: at most k_at_once.
  void find(std::span<PyObject* const> nodes, graph::vertex_id* numbers);
  static constexpr std::size_t k_at_once = 128;

  /// Returns the number of a node by row 5, k_no_vertex where there is none. Runs the code of the node's type, and keeps `node`
  /// meanwhile. Throws nanobind's python_error where that code raises.
  graph::vertex_id find_any(PyObject* node);

 private:
  void find_equal(std::span<PyObject* const> nodes, std::span<const std::uint32_t> which,
                  graph::vertex_id* numbers);

  nanobind::list nodes_;
  std::vector<PyObject*> by_number_;
  bool counting_ = true;  // whether nodes are 0, 1, 2, …
  word_table addresses_;
  word_table equals_;  // texts by hash, integers by value
  nanobind::object others_;  // a dict
};

}  // namespace gossamer::python
