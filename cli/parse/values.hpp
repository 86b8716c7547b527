#pragma once
// Converts the text of an option to a value. Every function throws gossamer::error with one line that says
// what was expected and what was found: "--cores: expected a whole number from 1 to 4096, found "0"".

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

inline constexpr std::uint64_t k_any = std::numeric_limits<std::uint64_t>::max();

/// Throws "OPTION: expected EXPECTED, found "FOUND"".
[[noreturn]] void refuse(std::string_view option, std::string_view expected, std::string_view found);

/// Reads a whole number from low to high.
std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t low,
                           std::uint64_t high);

/// Reads a number for which accept() is true; `expected` describes such numbers.
double real_number(std::string_view option, const std::string& text, std::string_view expected,
                   const std::function<bool(double)>& accept);

/// Reads "64K" or "1GiB", at least `least`.
std::uint64_t byte_count(std::string_view option, const std::string& text, std::uint64_t least);

/// Reads the name of a file or folder, which is not empty; `expected` is "a file" or "a folder".
std::string path_name(std::string_view option, const std::string& text, std::string_view expected);

/// Reads one of a few words: "expected a, b or c".
std::string one_of(std::string_view option, const std::string& text, std::span<const std::string_view> known);

/// Returns the index of a name in `names`, which must contain it.
template <class Names>
unsigned index_of(const Names& names, std::string_view name) {
  unsigned k = 0;
  while (names[k] != name) ++k;
  return k;
}

/// Returns "unknown option --treshold, did you mean --threshold?", or which help lists the known ones.
std::string unknown(std::string_view kind, const std::string& typed, std::span<const std::string> known,
                    std::string_view help);

}  // namespace gossamer::cli
