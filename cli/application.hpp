#pragma once
// Runs a program of commands. main() calls it.

namespace gossamer::cli {

struct program;

/// Runs the command of a command line. Returns the exit code: 0, 1 if --verify found the answer wrong, 2 for
/// an error, which is printed in one line on standard error.
int run_program(const program& p, int argc, const char* const* argv) noexcept;

}  // namespace gossamer::cli
