#pragma once
// What is said of components, of either kind: their number, the largest, the sizes.

#include <memory>
#include <string_view>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/questions/answer.hpp"

namespace gossamer::graph {

/// What parts of a graph are called.
struct part_names {
  std::string_view one, many;  ///< "strong component", "strong components"
  std::string_view key = "components";  ///< of their number in JSON, and the title of a column
  std::string_view top = "component of";  ///< the title of the column of their smallest vertices
};

/// Returns the answer, unverified. Its column is moved out of `found`.
answer answer_of_components(const std::shared_ptr<components_result>& found, const part_names& names);

}  // namespace gossamer::graph
