#pragma once
// The independent check of `gossamer sort`: reads input and output again, by one thread, and compares. It shares the rule of
// fields with the sort, and nothing else.

#include <string>
#include <vector>

#include "gossamer/base/check.hpp"
#include "gossamer/sort/sort_lines.hpp"

namespace gossamer::cli {

/// Checks a sorted file: that no line comes before its
/// predecessor, and by number and sum of hashes that its lines are those of the input, or the first ones of
/// equal keys. `order.field` is a number here, if it is a field.
/// Lines without the field, or without a number there, must be missing in the output.
check check_sorted(const std::vector<std::string>& files, const line_order& order, const std::string& output);

/// Does the same for binary files of numbers.
check check_sorted_numbers(const std::vector<std::string>& files, const std::string& type, bool reverse,
                           const std::string& output);

}  // namespace gossamer::cli
