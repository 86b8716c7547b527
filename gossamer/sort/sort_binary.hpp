#pragma once
// Sorts files of binary numbers by sort() of arrays, on all cores and processes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/sort/sort_lines.hpp"

namespace gossamer {

/// The types of a binary file's numbers, in the byte order of this machine.
enum class binary_type : std::uint8_t { u32, i32, u64, i64, f32, f64 };

/// The names of binary_type, in its order.
inline constexpr std::string_view k_binary_types[] = {"u32", "i32", "u64", "i64", "f32", "f64"};

/// Writes the numbers of all files in order to `output`, with the files, outputs, progress and errors of sort_lines(). NaN comes
/// last; in ascending order -0.0 comes before 0.0. Throws gossamer::error also for a file that ends inside a number. Costs the memory
/// of sort() (sort.hpp) and an array of the numbers.
void sort_binary(const std::vector<std::string>& files, binary_type type, bool reverse,
                 const std::string& output, const sort_lines_options& options = {});

}  // namespace gossamer
