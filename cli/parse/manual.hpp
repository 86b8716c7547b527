#pragma once
// Bash completion and manual pages, from what the commands declare.

#include <string>

namespace gossamer::cli {

struct program;

/// Returns a script for bash. It completes commands, their options, and words of options that accept only
/// some.
std::string completion_script(const program& p);

/// Writes the script and a page for the program and for each command below `folder`:
/// bash-completion/completions/NAME and man/man1/NAME*.1; and doc/gossamer/questions.md, the tables that docs/cli.md has of questions about
/// graphs. Throws gossamer::error.
void write_manual(const program& p, const std::string& folder);

}  // namespace gossamer::cli
