#pragma once
// Words with something between them. fmt::join makes gcc 12 warn of an overflow that is none, at -O3.

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
