#pragma once
// Joins words with a separator. With fmt::join gcc 12 at -O3 gives a false warning of an overflow.

#include <string>
#include <string_view>

namespace gossamer::simulation {

template <class Words>
std::string join(const Words& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace gossamer::simulation
