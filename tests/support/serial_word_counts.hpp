#pragma once
// How often each word of a text occurs, counted serially.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "gossamer/io/words.hpp"

namespace gossamer::test {

using counts = std::map<std::string, std::uint64_t>;

inline counts serial_counts(const std::string& text) {
  counts all;
  io::for_each_word(text, [&](std::string_view word) { ++all[std::string(word)]; });
  return all;
}

}  // namespace gossamer::test
