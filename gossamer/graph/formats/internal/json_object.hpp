#pragma once
// Single values of a JSON object in a line of text. The JSON library stays behind this header.

#include <array>
#include <string>
#include <string_view>

#include "gossamer/graph/formats/internal/scan.hpp"

namespace gossamer::graph {

/// Writes the values of the keys as text: strings as they are meant, integers as they are written, whatever
/// their size, other numbers as they are written shortest.
/// Empty where the key is missing or null; keys that are empty are not looked for. A value of another kind,
/// or text that is no object, is a problem.
problem read_object(std::string_view text, const std::array<std::string, 3>& keys,
                    const std::array<std::string*, 3>& values);

}  // namespace gossamer::graph
