// What the backend for NetworkX needs beside the class Graph: edges of dicts, and answers as dicts and sets of nodes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <utility>

#include "adjacency.hpp"
#include "answers.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

/// Returns (sources, targets, whether all weights are 1), or nothing where rows are no plain dicts.
std::optional<nb::tuple> adjacency_arrays(const nb::list& nodes, const nb::dict& adjacency, bool directed,
                                          nb::object weight, bool default_is_one) {
  weight_check weights{{}, default_is_one};
  if (!weight.is_none()) weights.attribute = weight;
  adjacency_edges edges = read_adjacency(nodes, adjacency, directed, weights);
  if (!edges.walked) return std::nullopt;
  using id = graph::vertex_id;
  return nb::make_tuple(array_of<id>(std::move(edges.sources)), array_of<id>(std::move(edges.targets)),
                        !edges.weighted);
}

}  // namespace

void bind_networkx(nb::module_& m) {
  m.def("adjacency_arrays", &adjacency_arrays, "nodes"_a, "adjacency"_a, "directed"_a,
        "weight"_a = nb::none(), "default_is_one"_a = true,
        "Return sources, targets and whether all weights are 1; None where rows are no plain dicts.");
  m.def(
      "adjacency_size", &adjacency_size, "adjacency"_a, "enough"_a,
      "Return nodes and entries of rows, or some number from `enough` on; -1 where rows are no plain dicts.");
  m.def(
      "first_attribute",
      [](const nb::dict& adjacency, nb::handle attribute) -> std::optional<nb::tuple> {
        const auto found = first_attribute(adjacency, attribute);
        return found ? std::optional(nb::make_tuple(*found)) : std::nullopt;
      },
      "adjacency"_a, "attribute"_a,
      "Return (the attribute of the first edge that has it,), with None where none has it; None where rows "
      "are no plain dicts.");
  m.def("dict_of", &dict_of, "nodes"_a, "values"_a, "Return the values by node.");
  m.def("nearest_first", &nearest_first, "nodes"_a, "levels"_a, "most"_a,
        "Return levels up to `most` by node, the nearest first.");
  m.def("sets_of", &sets_of, "nodes"_a, "components"_a, "Return the nodes of each component.");
  m.def("place_of", &place_of, "nodes"_a, "node"_a, "Return the place of a node in a list, or -1.");
}

}  // namespace gossamer::python
