#pragma once
// The edges of a NetworkX graph: one walk over its dict of dicts, {node: {neighbour: attributes}}. NetworkX promises no more of the
// keys than that they are equal: a neighbour is the node's own object where one list made all edges, another one where each
// line of a file made its own (node_index.hpp finds both).

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::python {

/// Which attribute of edges has to be 1 wherever there is one.
struct weight_check {
  nanobind::handle attribute;  ///< its key; nothing: attributes are not looked at
  bool default_is_one = true;  ///< whether edges without it have weight 1
};

/// What a walk found.
struct adjacency_edges {
  std::vector<graph::vertex_id> sources, targets;
  bool walked = true;  ///< false: rows or attributes are no plain dicts, and edges are missing here
  bool weighted = false;  ///< true: an edge has another weight than 1, and edges are missing here
};

/// Reads the edges of all rows. `nodes` has every key once; its order numbers them. Undirected graphs, in which each edge stands in
/// two rows, give it once. Needs the GIL; takes some 20 ns per entry. Throws nanobind's python_error: KeyError for a neighbour that
/// is no node, RuntimeError where the graph changes meanwhile.
adjacency_edges read_adjacency(const nanobind::list& nodes, const nanobind::dict& adjacency, bool directed,
                               const weight_check& weights);

/// Returns the attribute of the first edge that has it, Python's None where none has it; nothing where rows or attributes are no
/// plain dicts. Needs the GIL; takes some 10 ns per entry without attributes.
std::optional<nanobind::object> first_attribute(const nanobind::dict& adjacency, nanobind::handle attribute);

/// Returns nodes and entries of rows together, or some number that is at least `enough`. -1: rows are no plain dicts.
Py_ssize_t adjacency_size(const nanobind::dict& adjacency, Py_ssize_t enough);

}  // namespace gossamer::python
