#pragma once
// Questions about graphs (gossamer/graph/questions) for Python: one call for all, and their descriptions, of which tools/python-questions
// makes methods.

#include <nanobind/nanobind.h>

#include <string>

#include "owned_graph.hpp"

namespace gossamer::python {

/// Asks a question of a graph, with parameters by the names of the program's options; None is as good as not given. Returns the columns of the answer as a
/// list of arrays, what is known of the whole graph as a dict, and what the answer lacks, or None. Throws nanobind's value_error and
/// type_error for parameters.
nanobind::tuple ask(const graph_object& g, const std::string& question, const nanobind::dict& parameters);

}  // namespace gossamer::python
