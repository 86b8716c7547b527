#pragma once
// What the module _core consists of: a function for each part, called once when it is imported.

#include <nanobind/nanobind.h>

namespace gossamer::python {

/// Adds the class ArrowTable.
void bind_arrow(nanobind::module_& m);
/// Adds the class Array.
void bind_global_array(nanobind::module_& m);
/// Adds the class Recording.
void bind_explain(nanobind::module_& m);
/// Adds the class Graph.
void bind_graph(nanobind::module_& m);
/// Adds group_files().
void bind_group_files(nanobind::module_& m);
/// Adds the classes HashMap and HashSet.
void bind_hash_tables(nanobind::module_& m);
/// Adds the classes Unary and Binary, and map_reduce().
void bind_map_reduce(nanobind::module_& m);
/// Adds what the conversion of graphs and answers from and to NetworkX consists of.
void bind_networkx(nanobind::module_& m);
/// Adds questions().
void bind_questions(nanobind::module_& m);
/// Adds sort().
void bind_sort(nanobind::module_& m);
/// Adds count_tree().
void bind_trees(nanobind::module_& m);
/// Adds count_words() and the class WordCounts.
void bind_words(nanobind::module_& m);

}  // namespace gossamer::python
