#pragma once
// What `gossamer scale` reads: the numbers of processes, and command words with places that depend on them.

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

/// Reads "1,2,4", "1..128" or "1,2,4,...,128". Dots (or an ellipsis) double the number before them, up to the
/// one after. There is at least one number, and each is larger than the one before. Throws gossamer::error
/// naming `option`.
std::vector<unsigned> process_counts(std::string_view option, std::string_view text);

/// Returns whether any word has a place to fill, so that the work grows with the processes.
bool has_places(const std::vector<std::string>& words);

/// Returns the words with each {…} replaced by its value. That is made of sums and products of whole numbers,
/// `processes`, `cores` (of the whole job), and log2() of either, rounded down. Throws gossamer::error where
/// it is no such thing.
std::vector<std::string> filled(const std::vector<std::string>& words, unsigned processes, unsigned cores);

}  // namespace gossamer::cli
