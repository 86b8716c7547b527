#pragma once
// The label of a vertex: the integer or the name that the input uses for it.

#include <cstdint>
#include <string>
#include <variant>

namespace gossamer::cli {

using label = std::variant<std::uint64_t, std::string>;

/// Integers up to here are exact in every reader of JSON; larger ones are written as strings.
inline constexpr std::uint64_t k_largest_json_integer = std::uint64_t{1} << 53;

inline std::string label_text(const label& l) {
  if (const auto* id = std::get_if<std::uint64_t>(&l)) return std::to_string(*id);
  return std::get<std::string>(l);
}

}  // namespace gossamer::cli
