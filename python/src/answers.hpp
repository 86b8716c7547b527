#pragma once
// Answers as NetworkX has them: dicts and sets of nodes, made of arrays that the vertices index. Everything here needs the GIL.

#include <nanobind/nanobind.h>

#include "arrays.hpp"

namespace gossamer::python {

/// Returns {node: value} in the order of the nodes; values are floats or integers, of 32 or 64 bits. Throws nanobind's value_error
/// where there are not as many.
nanobind::dict dict_of(const nanobind::list& nodes, const any_column& values);

/// Returns {node: level} of the nodes whose level is from 0 to `most`, the nearest first, equally near ones in order.
nanobind::dict nearest_first(const nanobind::list& nodes, const any_column& levels, std::int64_t most);

/// Returns the nodes of each component as a set. `components` gives each vertex the smallest vertex of its component; the component
/// of the smallest vertex comes first.
nanobind::list sets_of(const nanobind::list& nodes, const any_column& components);

/// Returns the place of a node in a list, as a dict would find it; -1: it is not there. Runs the nodes' code for comparing only where
/// hashes agree. Throws nanobind's python_error, TypeError for what has no hash.
Py_ssize_t place_of(const nanobind::list& nodes, nanobind::handle node);

}  // namespace gossamer::python
