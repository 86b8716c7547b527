// The function _core.count_tree: how large an unbalanced tree is, found by walking all of it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/kernels/uts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

nb::dict count_tree(const std::string& text) {
  const kernels::uts_tree tree = kernels::parse_tree(text);
  const kernels::named_tree* const named = kernels::find_named(tree);
  const auto found = call([tree](const graph::progress_hook&) { return kernels::search_tree(tree); });
  nb::dict d;
  d["tree"] = named != nullptr ? std::string(named->name) : kernels::arguments_of(tree);
  d["nodes"] = found.size.nodes;
  d["leaves"] = found.size.leaves;
  d["depth"] = found.size.depth;
  d["seconds"] = found.seconds;
  return d;
}

}  // namespace

void bind_trees(nb::module_& m) {
  m.def("count_tree", &count_tree, "tree"_a, "Return the size of a tree, given by its name or arguments.");
}

}  // namespace gossamer::python
