#include "gossamer/base/check.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"

namespace gossamer {

check count_of_wrong(std::uint64_t wrong, std::string_view one, std::string_view many) {
  if (wrong == 0) return {};
  return {false, fmt::format("{} wrong", plural(wrong, one, many))};
}

}  // namespace gossamer
