#pragma once
// Standard output and standard error: which of them a person watches, and writing that notices
// failure.

#include <string_view>

namespace gossamer::cli {

bool output_is_terminal();
bool error_is_terminal();

/// Returns whether colours belong there: on terminals only, and nowhere where NO_COLOR is set (no-color.org)
/// or TERM is dumb.
bool output_has_colours();

/// Throws gossamer::error when the text cannot be written (a full disk).
void write_output(std::string_view text);

/// Writes to standard error, best effort: there is nowhere to report a failure to.
void write_error(std::string_view text) noexcept;

}  // namespace gossamer::cli
