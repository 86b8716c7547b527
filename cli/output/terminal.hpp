#pragma once
// Standard output and standard error: whether they are terminals, and writes that report errors.

#include <cstddef>
#include <string_view>

namespace gossamer::cli {

bool output_is_terminal();
bool error_is_terminal();
/// Returns the columns of the terminal that is standard error; 0: not known.
std::size_t error_columns();

/// Returns whether standard output shows colours: it is a terminal, NO_COLOR is not set (no-color.org), and
/// TERM is not dumb.
bool output_has_colours();

/// Writes to standard output. Throws gossamer::error if that fails, as on a full disk.
void write_output(std::string_view text);

/// Writes to standard error. Ignores errors: there is no place to report them.
void write_error(std::string_view text) noexcept;

}  // namespace gossamer::cli
