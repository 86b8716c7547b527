#pragma once
// The beginning of delimited text: a byte-order mark, and the names of the columns. Also finds the column that an option of the command
// line means by name or number. What the head says besides is inferred in schema_inference.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/delimited.hpp"

namespace gossamer::io {

/// Returns the bytes of the mark that some programs write before UTF-8: 3 or 0.
std::size_t byte_order_mark(std::string_view text);

/// Says what describe() says, and where a record between blanks lacks fields, which separator it has.
std::string describe(const delimited_problem& problem, const delimited_format& format);

/// The names of the columns, and where the records after them begin.
struct delimited_header {
  std::vector<std::string> names;
  std::size_t bytes = 0;  // mark, empty lines and header
};

/// Reads the first record of a text as names of columns. `text` begins where the file begins and holds all of that
/// record. Throws gossamer::error where there is none, or where it is damaged.
delimited_header read_header(std::string_view text, const delimited_format& format, const std::string& path);

/// Reads the header of a further file and returns where the records behind it begin. Throws gossamer::error where its names are others than those
/// of the first file.
std::size_t skip_header(std::string_view text, const delimited_format& format,
                        std::span<const std::string> names, const std::string& path);

/// Returns the number, from 0, of the column that `wanted` means: one of the names, or else a number from 1. Throws
/// gossamer::error where there is none, with the nearest name, or where two columns have that name. Without `names`
/// (no header) there are only numbers.
std::uint32_t find_column(std::string_view wanted, std::span<const std::string> names,
                          const std::string& path);

/// Returns names for a message, with commas between them: the first ones, on one line.
std::string list_names(std::span<const std::string> names);

}  // namespace gossamer::io
