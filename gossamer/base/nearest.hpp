#pragma once
// Finds the word that a misspelt one stands for: for error lines that end in "did you mean ...?".

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gossamer {

/// Returns the number of insertions, deletions, replacements and swaps of neighbours between the two.
/// O(|a||b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the word nearest to `typed`; empty where none is near enough to be a typing error.
std::string nearest(std::string_view typed, std::span<const std::string> words);

}  // namespace gossamer
