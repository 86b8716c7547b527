#pragma once
// A whole program behind its main().

namespace gossamer::cli {

struct program;

/// Returns the exit code: 0, 1 where --verify found the answer wrong, 2 for an error, told in one line
/// on standard error.
int run_program(const program& p, int argc, const char* const* argv) noexcept;

}  // namespace gossamer::cli
