#pragma once
// Reads single values of a JSON object in a line of text. Hides the JSON library.

#include <array>
#include <string>
#include <string_view>

#include "gossamer/graph/formats/internal/scan.hpp"

namespace gossamer::graph {

/// Writes the values of the keys as text: strings unescaped, integers as they are written, whatever their
/// size, other numbers in the shortest form. A value is empty if the key is missing or null; empty keys are
/// not searched. A value of another type, or text that is no object, is a problem.
/// or text that is no object, is a problem.
problem read_object(std::string_view text, const std::array<std::string, 3>& keys,
                    const std::array<std::string*, 3>& values);

}  // namespace gossamer::graph
