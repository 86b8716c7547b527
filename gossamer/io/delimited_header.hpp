#pragma once
// Reads the beginning of delimited text: a byte-order mark, and the names of the columns. Also finds the
// column that a command-line option names, by name or number. Everything else about the head is inferred in
// schema_inference.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/delimited.hpp"

namespace gossamer::io {

/// Returns the length of the byte-order mark that some programs write before UTF-8: 3 or 0.
std::size_t byte_order_mark(std::string_view text);

/// Returns where the first record begins: after a byte-order mark and empty lines. text.size() if there is
/// none.
std::size_t records_begin(std::string_view text);

/// Returns where the second record begins. text.size() if there is none.
std::size_t second_record(std::string_view text, bool quotes);

/// Returns what describe() returns. If a blank-separated record lacks fields, adds which separator it
/// contains.
std::string describe(const delimited_problem& problem, const delimited_format& format);

/// The names of the columns, and where the records after them begin.
struct delimited_header {
  std::vector<std::string> names;
  std::size_t bytes = 0;  // byte-order mark, empty lines and header
};

/// Reads the first record of a text as names of columns. `text` is the beginning of the file and contains all
/// of that record. Throws gossamer::error if there is none, or it is malformed.
delimited_header read_header(std::string_view text, const delimited_format& format, const std::string& path);

/// Reads the header of a further file and returns where the records after it begin. Throws gossamer::error if
/// its names differ from those of the first file.
std::size_t skip_header(std::string_view text, const delimited_format& format,
                        std::span<const std::string> names, const std::string& path);

/// Returns the index, from 0, of the column named `wanted`: one of the names, or else a number from 1. Throws
/// gossamer::error if there is none, with the nearest name, or if two columns have that name. Without `names`
/// (no header) only numbers are accepted.
std::uint32_t find_column(std::string_view wanted, std::span<const std::string> names,
                          const std::string& path);

/// Returns names for a message, separated by commas: the first ones, on one line.
std::string list_names(std::span<const std::string> names);

}  // namespace gossamer::io
