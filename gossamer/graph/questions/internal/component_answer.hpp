#pragma once
// What is said of components, of either kind: their number, the largest, the sizes.

#include <memory>
#include <string_view>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/questions/answer.hpp"

namespace gossamer::graph {

/// Returns the answer, unverified. Its column is moved out of `found`. `one` and `many` name components: "component", "components".
answer answer_of_components(const std::shared_ptr<components_result>& found, std::string_view one,
                            std::string_view many);

}  // namespace gossamer::graph
