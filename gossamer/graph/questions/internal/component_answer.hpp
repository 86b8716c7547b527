#pragma once
// The answer of questions about components, connected or strongly connected: their number, the largest one,
// and their sizes.

#include <memory>
#include <string_view>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/questions/answer.hpp"

namespace gossamer::graph {

/// The names of the components in an answer.
struct part_names {
  std::string_view one, many;  ///< "strong component", "strong components"
  std::string_view key = "components";  ///< key of their number in JSON, and title of a column
  std::string_view top = "component of";  ///< title of the column of their smallest vertices
};

/// Returns the answer, unverified. answer::columns moves its column out of `found`.
answer answer_of_components(const std::shared_ptr<components_result>& found, const part_names& names);

}  // namespace gossamer::graph
