#pragma once
// The independent check of `gossamer sort`: reads input and output again, by one thread, and compares. It
// shares only the reader of fields with the sort.

#include <string>
#include <vector>

#include "gossamer/base/check.hpp"
#include "gossamer/sort/sort_lines.hpp"

namespace gossamer::cli {

/// Checks a sorted file. No line may precede its predecessor in the order. The lines must be those of the
/// input, or the first ones of equal keys, by number and sum of hashes. Lines without the field, or without a
/// number there, must be missing in the output. `order.field`: the number of the field, not its name.
check check_sorted(const std::vector<std::string>& files, const line_order& order, const std::string& output);

/// Does the same for binary files of numbers.
check check_sorted_numbers(const std::vector<std::string>& files, const std::string& type, bool reverse,
                           const std::string& output);

}  // namespace gossamer::cli
