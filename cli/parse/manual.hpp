#pragma once
// Bash completion and manual pages, from what the commands declare.

#include <string>

namespace gossamer::cli {

/// Returns a script for bash. It completes commands, their options, and words of options that accept only
/// some.
std::string completion_script();

/// Writes the script and a page for the program and for each command below `folder`:
/// bash-completion/completions/gossamer and man/man1/gossamer*.1. Throws gossamer::error.
void write_manual(const std::string& folder);

}  // namespace gossamer::cli
