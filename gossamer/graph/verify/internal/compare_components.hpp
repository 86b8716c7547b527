#pragma once
// What is said of components, compared with a serial run: for the verifiers of components of either kind.

#include <span>

#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

/// Compares ids, number, largest and sizes with `expected`: by vertex, the smallest vertex of its component.
check compare_components(std::span<const vertex_id> expected, const components_result& found);

}  // namespace gossamer::graph
