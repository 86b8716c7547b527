#pragma once
// The whole program behind main().

namespace gossamer::cli {

/// Returns the exit code: 0, 1 where --verify found the answer wrong, 2 for an error, told in one line
/// on standard error.
int run_program(int argc, const char* const* argv) noexcept;

}  // namespace gossamer::cli
