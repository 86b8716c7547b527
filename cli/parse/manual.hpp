#pragma once
// Bash completion and manual pages, from the declarations of commands.

#include <string>

namespace gossamer::cli {

struct program;

/// Returns a script for bash. It completes commands, their options, and the words of options that accept only
/// certain words.
std::string completion_script(const program& p);

/// Writes files below `folder`: the script (bash-completion/completions/NAME), a page for the program and for
/// each command (man/man1/NAME*.1), and the tables of questions about graphs for docs/cli.md
/// (doc/gossamer/questions.md). Throws gossamer::error.
void write_manual(const program& p, const std::string& folder);

}  // namespace gossamer::cli
