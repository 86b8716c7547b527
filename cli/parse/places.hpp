#pragma once
// Parses arguments of `gossamer scale`: the numbers of processes, and placeholders in the words of a command.

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

/// Reads "1,2,4", "1..128" or "1,2,4,...,128". Dots (or an ellipsis) double the number before them, up to the
/// one after. There is at least one number, and each is larger than the one before. Throws gossamer::error
/// that names `option`.
std::vector<unsigned> process_counts(std::string_view option, std::string_view text);

/// Returns whether any word has a placeholder, so that the work grows with the processes.
bool has_places(const std::vector<std::string>& words);

/// Returns the words with each {…} replaced by its value. It contains sums and products of whole numbers,
/// `processes`, `cores` (of the whole job), and log2() of such an expression, rounded down. Throws
/// gossamer::error for other texts.
std::vector<std::string> filled(const std::vector<std::string>& words, unsigned processes, unsigned cores);

}  // namespace gossamer::cli
